"""The shape of the code, as ARCHITECTURE.md tells it: who may import whom, and what the serving process loads."""

from __future__ import annotations

import re
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


def test_a_pure_file_that_reaches_time_is_found(tmp_path: Path) -> None:
    """The contract would catch what it forbids: here it is, pointed at a package that breaks it through another."""
    for room in ("wire", "play"):
        (tmp_path / "server" / room).mkdir(parents=True)
        (tmp_path / "server" / room / "__init__.py").write_text("")
    (tmp_path / "server" / "__init__.py").write_text("")
    (tmp_path / "server" / "helper.py").write_text("import time\n")
    (tmp_path / "server" / "play" / "session.py").write_text("import server.helper\n")
    config = (ROOT / "pyproject.toml").read_text()
    start = config.index('[[tool.importlinter.contracts]]\nname = "wire and play are pure')
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
    assert "server.play.session -> server.helper" in done.stdout
    assert "server.helper -> time" in done.stdout


def test_no_test_file_imports_from_another() -> None:
    borrows = re.compile(r"^(?:from|import) tests\.(?!support|fuzz|attack|simulation)[\w.]*\btest_", re.MULTILINE)
    assert [str(file) for file in (ROOT / "tests").rglob("test_*.py") if borrows.search(file.read_text())] == []


def test_the_serving_process_loads_neither_numba_nor_numpy() -> None:
    script = "import sys, server.app; print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stdout + done.stderr
