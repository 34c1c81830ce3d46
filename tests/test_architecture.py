"""The shape of the code, as ARCHITECTURE.md tells it: who may import whom, and what the serving process loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def lint_imports(config: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    return subprocess.run(
        [*command, "--config", str(config), "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )


def test_import_contracts_hold() -> None:
    done = lint_imports(ROOT / "pyproject.toml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_a_pure_file_that_imports_time_is_found(tmp_path: Path) -> None:
    """The contracts would catch what they forbid: here is one, pointed at a package that breaks it."""
    package = tmp_path / "server"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "session.py").write_text("import time\n")
    (package / "room.py").write_text("import asyncio\n")
    config = (ROOT / "pyproject.toml").read_text()
    start = config.index('[[tool.importlinter.contracts]]\nname = "the server\'s core is pure"')
    contract = config[start : config.index("\n[[", start + 2)]
    head = '[tool.importlinter]\nroot_packages = ["server"]\ninclude_external_packages = true\n'
    broken = tmp_path / "pyproject.toml"
    broken.write_text(head + contract)
    script = (
        "import sys; sys.path.insert(0, sys.argv.pop(1));from importlinter.cli import lint_imports_command as c; c()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), "--config", str(broken), "--no-cache"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "server.session -> time" in done.stdout
    assert "server.room -> asyncio" not in done.stdout


def test_the_serving_process_loads_neither_numba_nor_numpy() -> None:
    script = "import sys, server.app; print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stdout + done.stderr
