"""`noughts experiment`: what the authors of the literature's bots measured, measured again."""
