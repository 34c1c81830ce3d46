"""`python -m client`: the command `noughts`."""

from client.cli.start import main

main()
