"""`python -m client.cli`: the command `noughts`."""

from client.cli.main import main

main()
