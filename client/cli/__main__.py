"""`python -m client.cli`: the command `noughts`."""

from client.cli.start import main

main()
