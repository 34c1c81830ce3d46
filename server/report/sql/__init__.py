"""`noughts sql`: questions to the database, and their answers in several formats."""
