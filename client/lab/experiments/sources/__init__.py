"""The documents that the bots of the literature come from, row by row: one file for each, named as its experiment."""
