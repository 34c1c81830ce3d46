"""Ladders: bots play each other for hours, and every game goes to the database."""
