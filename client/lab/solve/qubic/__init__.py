"""Qubic, solved from the empty board or from a position."""
