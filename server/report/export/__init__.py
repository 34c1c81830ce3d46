"""`noughts export`: recorded games as text or tables."""
