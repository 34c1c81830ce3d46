"""Ladders: bots play each other for hours, and every game is in the records."""
