"""Where the command begins: Ctrl-C while it loads ends it as at any other time, without a traceback."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        from client.cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
