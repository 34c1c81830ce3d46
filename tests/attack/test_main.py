"""`make attack` as a process: what it leaves behind."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest


def servers() -> list[str]:
    """Command lines of running servers that were made to be attacked."""
    lines = []
    for entry in Path("/proc").iterdir():
        try:
            lines.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:  # no process, or gone meanwhile
            continue
    return [line for line in lines if "noughts-attack-" in line]


@pytest.mark.slow
async def test_a_stop_ends_its_servers() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.attack", "pings", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(120):
        await process.stdout.readline()
        assert servers()
        process.terminate()
        _, told = await process.communicate()
    assert (process.returncode, told) == (1, b"Error: stopped; its servers are ended.\n")
    assert not servers()
