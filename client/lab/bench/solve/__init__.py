"""What solutions take, and how soon `perfect` answers."""
