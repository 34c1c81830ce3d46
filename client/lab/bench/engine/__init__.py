"""How fast the engine searches, beside the same search in C."""
