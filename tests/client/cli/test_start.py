"""The first moments of a command."""

from __future__ import annotations

import subprocess
import sys

import pytest

INTERRUPTED = """
import runpy, sys

class Interrupts:
    def find_spec(self, name, *others):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
sys.argv = ["noughts", "--version"]
runpy.run_module({!r}, run_name="__main__")
"""


@pytest.mark.parametrize("module", ["client", "client.cli"])
def test_ctrl_c_while_it_loads_ends_it_without_a_traceback(module: str) -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED.format(module)], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
