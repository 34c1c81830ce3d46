"""A stream that cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from server.console.streams import forget
print("what nobody can take")
{forget}
"""


# Only /dev/full takes no byte of a real descriptor, and it is Python's own flush at exit that must say nothing.
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no full device")
@pytest.mark.parametrize("forgotten", [True, False])
def test_at_exit_nothing_is_said_of_what_was_forgotten(forgotten: bool) -> None:
    program = PROGRAM.format(forget="forget(sys.stdout)" if forgotten else "")
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=full, stderr=subprocess.PIPE, env=buffered, text=True, timeout=60
        )
    assert (done.returncode == 0, done.stderr == "") == (forgotten, forgotten)
