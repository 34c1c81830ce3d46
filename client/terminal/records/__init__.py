"""Recorded games in the terminal: found, replayed, played on."""
