"""What somebody feels who opens the page, measured in a browser."""
