"""`noughts` as a process whose ladders know the faulty bots."""

from __future__ import annotations

from client.cli.main import main
from server.ladder import config
from tests.support.ladder import faulty

if __name__ == "__main__":
    config.bot = faulty.bot  # type: ignore[assignment]
    main()
