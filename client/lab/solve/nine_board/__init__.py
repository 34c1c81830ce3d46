"""Nine-board, solved as far as it goes: by one process, by threads or on a cluster."""
