"""SYCL twins: kernels run by dpctl in a worker process of their own, so that a crash there is a verdict here."""
