"""The device side of the twins: the only code that imports dpctl, and it runs in the worker process alone."""
