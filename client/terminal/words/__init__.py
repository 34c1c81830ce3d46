"""What the terminal says, in words that its full screen and its lines share."""
