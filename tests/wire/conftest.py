"""Servers that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.live.server import UNLIMITED, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One without flood limits, whose bots do not dawdle."""
    with serving(tmp_path_factory.mktemp("server"), *UNLIMITED, "--pace-ms", "0", workers=1) as running:
        yield running
