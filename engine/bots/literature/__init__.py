"""The bots of the literature, one file for each author, over the fixed-depth search that they share."""
