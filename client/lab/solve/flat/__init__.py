"""Flat boards and cubes, solved."""
