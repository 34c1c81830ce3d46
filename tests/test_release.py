"""`make release`: what it refuses, what it makes, and the workflow that runs the tests elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent
AGREEING = "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-23\n\n- Everything.\n"


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with what a release looks at, and our tools."""
    root = tmp_path / "checkout"
    (root / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "release", root / ".ci" / "release")
    for name in ("pyproject.toml", "uv.lock", "README.md", "LICENSE", "ARCHITECTURE.md"):
        shutil.copy(ROOT / name, root / name)
    for package in ("engine", "server", "client", "migrations", "ladders"):
        (root / package).mkdir()
        (root / package / "__init__.py").touch()
    (root / ".gitignore").write_text(".venv\n/dist/\n")
    (root / ".venv").symlink_to(Path(sys.prefix))
    (root / "CHANGELOG.md").write_text(AGREEING)
    run("git", "init", "--quiet", cwd=root)
    commit(root)
    return root


def commit(root: Path) -> None:
    run("git", "add", "--all", cwd=root)
    names = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    assert run("git", *names, "commit", "--quiet", "--message", "x", cwd=root).returncode == 0


@pytest.mark.parametrize(
    ("changelog", "said"),
    [
        (AGREEING.replace("0.1.0", "0.2.0"), "has version 0.1.0, CHANGELOG.md's newest is 0.2.0"),
        (AGREEING.replace("## [0.1.0] - 2026-11-23", "## 0.1.0"), "lines under Unreleased"),
        (AGREEING.replace("## [Unreleased]\n", "## [Unreleased]\n\n- More.\n"), "lines under Unreleased"),
        ("# Changelog\n", "newest is none"),
    ],
)
def test_a_version_that_the_changelog_does_not_have_is_refused(checkout: Path, changelog: str, said: str) -> None:
    (checkout / "CHANGELOG.md").write_text(changelog)
    commit(checkout)
    done = run(".ci/release", cwd=checkout)
    assert (done.returncode, said in done.stderr) == (1, True), done.stderr
    assert not (checkout / "dist").exists()


def test_what_is_not_committed_is_not_released(checkout: Path) -> None:
    (checkout / "engine" / "new.py").touch()
    done = run(".ci/release", cwd=checkout)
    assert (done.returncode, "not committed" in done.stderr) == (1, True), done.stderr


def test_a_release_is_packages_their_parts_and_checksums(checkout: Path) -> None:
    done = run(".ci/release", cwd=checkout)
    assert done.returncode == 0, done.stderr
    made = set(os.listdir(checkout / "dist"))
    assert made == {
        "noughts-0.1.0-py3-none-any.whl",
        "noughts-0.1.0.tar.gz",
        "noughts-0.1.0.cdx.json",
        "SHA256SUMS",
    }
    bill = json.loads((checkout / "dist" / "noughts-0.1.0.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    parts = {part["name"] for part in bill["components"]}
    assert {"numba", "click", "websockets"} <= parts
    assert "pytest" not in parts, "what only developers need"
    assert run("sha256sum", "--check", "SHA256SUMS", cwd=checkout / "dist").returncode == 0


def test_the_workflow_runs_what_continuous_integration_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text())
    steps = workflow["jobs"]["tests"]["steps"]
    commands = [step["run"] for step in steps if "run" in step]
    assert commands == [".ci/run"]
    assert os.access(ROOT / commands[0], os.X_OK)
    image = workflow["jobs"]["tests"]["container"]
    pythons = re.search(r"^PYTHONS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert pythons is not None
    assert image.removeprefix("python:").split("-")[0] in pythons[1].split()


def test_the_makefile_leads_to_it() -> None:
    assert "\t@.ci/release\n" in (ROOT / "Makefile").read_text()
