"""Solving positions: who wins with best play, and the proofs of it."""
