"""What a slow line is, and that visits over it are measured."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from client.lab.bench.page import slow_line


def test_a_line_is_told_to_the_browser_in_bytes() -> None:
    conditions = slow_line.LINES["3g"].conditions()
    assert conditions == {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


@pytest.mark.slow
@pytest.mark.browser
def test_on_a_slow_line_a_bot_can_be_played_soon() -> None:
    """These times are the line's more than the machine's; what is held is that they are told next to their targets."""
    command = [sys.executable, "-m", "client.cli", "bench", "page", "--line", "3g", "--repeat", "1", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    part = json.loads(done.stdout)
    figures = {one["name"]: one for one in part["figures"]}
    new, returning = (figures[f"{who}: Play a bot now"] for who in ("new visitor", "returning"))
    assert (new["target"], returning["target"]) == (4000, 1500)
    assert 400 < returning["value"]["median"] < new["value"]["median"]
    assert figures["a page of one word: first paint, control"]["value"]["median"] > 400
    (loaded,) = part["tables"]
    assert loaded["rows"][0][0] == "/"
    assert all(float(row[2].replace(",", "")) <= new["value"]["high"] for row in loaded["rows"])
