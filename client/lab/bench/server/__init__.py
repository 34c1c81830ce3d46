"""What a move, a connection and a page load cost the server, beside a relay."""
