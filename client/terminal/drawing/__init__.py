"""Boards and marks as text."""
