"""`make`: its set-up on a machine with too little, and the pinned versions that it installs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PINNED = ("requirements/runtime.txt", "requirements/cluster.txt", "requirements/dev.txt")

# Where these tests are run by `make test` or in CI it is there; pytest may be called without it.
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `make` needs to know of the project, in a folder with a space in its name and without a `.venv`."""
    root = tmp_path / "a checkout"
    (root / "requirements").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", *PINNED):
        shutil.copy(ROOT / name, root / name)
    return root


def make(checkout: Path, *args: str) -> subprocess.CompletedProcess[str]:
    # Without the variables of the make that may run these tests, nor a PYTHON, HOST or PORT of the caller's.
    env = {"PATH": os.environ["PATH"], "HOME": str(checkout)}
    return subprocess.run(["make", *args], cwd=checkout, env=env, capture_output=True, text=True, timeout=100)


def script(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def told(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a failed `make` says, apart from make's own last line."""
    assert done.returncode != 0
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize("version", ["2.7", "3.10", "3.99", "3.1"])
def test_a_python_too_old_or_too_new_is_named(checkout: Path, version: str) -> None:
    python = script(checkout / "bin" / "python", f"echo {version}")
    sentence = told(make(checkout, "serve", f"PYTHON={python}"))
    assert f"but {python} is {version}" in sentence
    assert "make serve PYTHON=python3.12" in sentence
    assert not (checkout / ".venv").exists()


def test_a_missing_python_is_named(checkout: Path) -> None:
    assert "python3.11-of-nobody is missing" in told(make(checkout, "serve", "PYTHON=python3.11-of-nobody"))


def test_a_python_without_venv_is_told_what_to_install(checkout: Path) -> None:
    """Debian's python3 without python3-venv: `import ensurepip` fails."""
    python = script(checkout / "bin" / "python", 'case "$2" in *ensurepip*) exit 1;; *) echo 3.12;; esac')
    assert "apt install python3.12-venv" in told(make(checkout, "test", f"PYTHON={python}"))


def fake_python(checkout: Path, pip: str) -> Path:
    """A Python whose `-m venv` makes an environment in which `-m pip` runs `pip` and `noughts` echoes its arguments.

    What there is it empties, as `venv --clear` does.
    """
    lines = (
        'case "$*" in',
        "-V) echo Python 3.12.0;;",
        "*ensurepip*) exit 0;;",
        "-c*) echo 3.12;;",
        '"-m venv"*) rm -rf .venv/*; mkdir -p .venv/bin; echo made >> made; cp "$0" .venv/bin/python;'
        " printf '#!/bin/sh\\necho noughts \"$@\"\\n' > .venv/bin/noughts; chmod +x .venv/bin/noughts;;",
        f'"-m pip"*) echo "$@" >> pip; {pip};;',
        "esac",
    )
    return script(checkout / "bin" / "python", *lines)


def test_a_second_start_installs_nothing(checkout: Path) -> None:
    python = fake_python(checkout, "exit 0")
    assert make(checkout, "serve", f"PYTHON={python}").stdout.splitlines()[-1].split() == ["noughts", "serve"]
    installed = (checkout / "pip").read_text()
    assert installed.count("\n") == 2
    assert "--require-hashes" in installed
    again = make(checkout, "serve", "PORT=9000", "HOST=::1", "DB=a b.db")  # .venv is enough: no PYTHON.
    assert again.stdout == "noughts serve --host ::1 --port 9000 --db a b.db\n"
    assert (checkout / "pip").read_text() == installed


def test_changed_requirements_are_installed(checkout: Path) -> None:
    python = fake_python(checkout, "exit 0")
    make(checkout, "serve", f"PYTHON={python}")
    later = (checkout / ".venv" / ".runtime").stat().st_mtime + 10
    os.utime(checkout / "requirements" / "runtime.txt", (later, later))
    make(checkout, "serve")
    assert (checkout / "pip").read_text().count("\n") == 4
    assert (checkout / "made").read_text() == "made\n"


def test_a_half_finished_set_up_heals(checkout: Path) -> None:
    broken = fake_python(checkout, 'test -e healed || kill -9 "$PPID"')
    first = make(checkout, "serve", f"PYTHON={broken}")
    assert first.returncode != 0
    assert not (checkout / ".venv" / ".runtime").exists()
    (checkout / "healed").touch()
    assert make(checkout, "serve", f"PYTHON={broken}").returncode == 0
    assert (checkout / ".venv" / ".runtime").exists()


def test_a_moved_checkout_makes_its_environment_anew(checkout: Path) -> None:
    python = fake_python(checkout, "exit 0")
    make(checkout, "serve", f"PYTHON={python}")
    moved = checkout.rename(checkout.parent / "moved")
    python = moved / "bin" / "python"
    assert make(moved, "serve", f"PYTHON={python}").returncode == 0
    assert (moved / "made").read_text() == "made\nmade\n"


def test_an_environment_of_another_checkout_is_left_alone(checkout: Path) -> None:
    """A `.venv` that is a link: to work trees that share one, `venv --clear` would leave an empty folder."""
    other = checkout.parent / "other"
    other.mkdir()
    (other / "precious").touch()
    (checkout / ".venv").symlink_to(other)
    assert make(checkout, "serve", f"PYTHON={fake_python(checkout, 'exit 0')}").returncode == 0
    assert (other / "precious").exists()


def test_every_locked_package_has_a_wheel_for_each_supported_python() -> None:
    found = re.search(r"^PYTHONS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert found
    for minor in (int(version.split(".")[1]) for version in found[1].split()):
        for package in tomllib.loads((ROOT / "uv.lock").read_text())["package"]:
            if "registry" not in package["source"] or not meant_for(minor, package):
                continue
            tags = [wheel["url"].rsplit("/", 1)[1][:-4].split("-")[-3:] for wheel in package["wheels"]]
            assert any(suits(minor, *tag) for tag in tags), (package["name"], minor)


def meant_for(minor: int, package: dict[str, Any]) -> bool:
    """Some packages are locked at different versions for different Pythons."""
    markers = package.get("resolution-markers", [])
    python = {"python_full_version": f"3.{minor}.1", "python_version": f"3.{minor}"}
    return not markers or any(Marker(marker).evaluate(python) for marker in markers)


def suits(minor: int, python: str, abi: str, platform: str) -> bool:
    if not (platform == "any" or ("manylinux" in platform and "x86_64" in platform)):
        return False
    if "py3" in python.split("."):
        return True
    made_for = re.fullmatch(r"cp3(\d+)", python)
    if made_for is None:
        return False
    return minor == int(made_for[1]) if abi == python else abi == "abi3" and minor >= int(made_for[1])


SHIPPED = ("engine", "server", "client", "migrations")


@pytest.mark.parametrize("folders", [SHIPPED, ("tests",)])
def test_what_is_imported_is_asked_for_by_name(folders: tuple[str, ...]) -> None:
    """Else it is there only as long as another package happens to need it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values()]
    lists += project["dependency-groups"].values() if folders != SHIPPED else ()
    asked_for = {Requirement(line).name for lines in lists for line in lines}
    # `make fuzz` installs the fuzzer, the page's bench asks for the browser's driver, Jinja hands out what MarkupSafe
    # makes.
    asked_for |= {"atheris", "markupsafe", "playwright"}
    distributions = packages_distributions()
    imports = re.compile(r"^ *(?:import|from(?= \S+ import)) (\w+)", re.MULTILINE)
    unnamed = {
        (str(file.relative_to(ROOT)), package)
        for folder in folders
        for file in (ROOT / folder).rglob("*.py")
        for package in {*imports.findall(file.read_text())} - sys.stdlib_module_names - {*SHIPPED, "tests"}
        if not asked_for & {name.lower().replace("_", "-") for name in distributions.get(package, [package])}
    }
    assert not unnamed


def test_the_lock_names_only_the_public_index() -> None:
    lock = (ROOT / "uv.lock").read_text()
    urls = re.findall(r'"([a-z+]+://[^/"]*)', lock)
    assert set(urls) == {"https://pypi.org", "https://files.pythonhosted.org"}
    for name in PINNED:
        text = (ROOT / name).read_text()
        assert "://" not in text
        assert "--index" not in text


def test_the_pinned_files_are_what_the_lock_exports(tmp_path: Path) -> None:
    """pip cannot read uv.lock, so `make lock` exports it: an export forgotten would install something else."""
    options = ["--quiet", "--locked", "--offline", "--no-emit-project", "--no-header", "--format", "requirements-txt"]
    for name, groups in zip(
        PINNED,
        (
            ["--no-default-groups", "--group", "build", "--extra", "analysis"],
            ["--no-default-groups", "--group", "build", "--extra", "analysis", "--extra", "cluster"],
            ["--all-groups", "--all-extras"],
        ),
        strict=True,
    ):
        uv = [sys.executable, "-m", "uv", "export", *options, *groups]
        env = {**os.environ, "UV_NO_CONFIG": "1"}
        done = subprocess.run(uv, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert done.stdout == (ROOT / name).read_text(), f"run `make lock`: {name} is not what uv.lock says"
