"""Pawar and Ren's experiments with Qubic."""
