"""Attacks on a server on this machine: each with a name, what it does, and what it must not achieve."""
