"""`noughts play`: the terminal client, a full-screen app or plain lines."""
