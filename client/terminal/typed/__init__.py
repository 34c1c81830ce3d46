"""What a person types: moves, commands, and what they mean."""
