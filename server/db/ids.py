"""Ids of the database as text of the wire."""

NUMBER_DIGITS = 18
NUMBER_MAX = 10**NUMBER_DIGITS - 1


def is_number(text: str) -> bool:
    """Whether text is a whole number that the database can hold."""
    return text.isascii() and text.isdigit() and len(text) <= NUMBER_DIGITS
