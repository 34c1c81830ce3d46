"""A configuration that is right, for tests to change."""

LIST = 'name = "night"\n[[lists]]\ngame = "tictactoe"\nbots = ["random", "level:1"]\n'
