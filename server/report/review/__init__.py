"""Recorded games judged move by move, and the puzzles made of them."""
