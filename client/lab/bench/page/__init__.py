"""What somebody who opens the page feels, measured in a browser."""
