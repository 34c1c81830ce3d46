"""What the terminal shows beside games: explorer, analysis, ladder, profiles, puzzles, lessons and TV."""
