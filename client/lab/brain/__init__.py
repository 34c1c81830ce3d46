"""Our bots as engines in other people's arenas: a module for each protocol, and the commands that speak them."""
