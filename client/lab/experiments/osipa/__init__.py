"""Osipa's experiments with 3 x 3 and the nine boards."""
