"""SYCL twins: kernels run by dpctl in a worker process of their own, so that a crash there is a verdict here."""

from __future__ import annotations


def built_in_twins() -> tuple[str, ...]:
    """Names of the twins that come with the program."""
    from motion_kernels.catalogue import TWINS

    return tuple(TWINS)


def end_builds() -> None:
    """End the compiling of users' kernels, from any thread: a program that is quit must not wait minutes for one."""
    from motion_kernels import compiler

    compiler.give_up()
