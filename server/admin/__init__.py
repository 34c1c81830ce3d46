"""What the operator orders a running server to do, over a socket beside its database."""
