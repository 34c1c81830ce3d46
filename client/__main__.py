"""`python -m client`: the command `noughts`."""

from client.cli.main import main

main()
