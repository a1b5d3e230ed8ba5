"""Engines: implementations of motion on one frame pair, on the CPU, on a SYCL device, or recorded elsewhere."""
