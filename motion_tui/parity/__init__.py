"""Parity: what differs between oracle and twin, where, by how much, and what that means."""
