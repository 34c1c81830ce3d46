"""Altekar's experiments with Qubic."""
