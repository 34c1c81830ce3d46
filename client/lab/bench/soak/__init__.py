"""`noughts bench soak`: hours of play, and what grows in them."""
