"""Bragstad's simulations on n x n boards."""
