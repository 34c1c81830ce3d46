"""Ids of the database as text of the wire."""


def is_number(text: str) -> bool:
    """Whether text is a whole number that the database can hold."""
    return text.isascii() and text.isdigit() and len(text) < 19
