"""What bots find and claim, and how far the levels lie apart."""
