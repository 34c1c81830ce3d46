"""`noughts` as a process whose ladders know the faulty bots."""

from __future__ import annotations

from unittest import mock

from client.cli.main import main
from server.ladder import config
from tests.support.ladder import faulty

if __name__ == "__main__":
    with mock.patch.object(config, "bot", faulty.bot):
        main()
