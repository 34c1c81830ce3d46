"""The built wheel, installed outside the checkout, has all it needs: `pip install .` elsewhere serves too."""

from __future__ import annotations

import email
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import tarfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, env=bare_environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bare_environment() -> dict[str, str]:
    """Ours without what could lead back to the checkout or to a developer's own settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NOUGHTS_"))}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it, its folder of commands. It borrows our packages, not our checkout."""
    folder = tmp_path_factory.mktemp("elsewhere")
    # Without a pip of its own, which would take most of the time; ours installs into it.
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps")
    run(*pip, wheel, cwd=folder)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    # A path in a .pth file brings in packages; the .pth of our editable install, found there, is not followed.
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return python.parent


@pytest.mark.slow
def test_migrations_page_examples_and_the_bench_in_c_are_in_the_wheel(wheel: Path) -> None:
    terminal = [file for kind in ("*.json", "*.tcss") for file in (ROOT / "client" / "terminal").rglob(kind)]
    twins = (ROOT / "client" / "lab" / "bench" / "engine").glob("*.c")
    page = ROOT / "client" / "web"
    web = [*(page / "dist").iterdir(), *(page / "i18n" / "shared").iterdir(), *(page / "learn").glob("*.json")]
    toml = (ROOT / "ladders").glob("*.toml")
    others = [*(ROOT / "migrations").glob("*.sql"), *toml, *twins, *terminal]
    shells = (ROOT / "client" / "cli" / "shells").glob("noughts.*")
    wanted = {str(path.relative_to(ROOT)) for path in [*others, *shells, *web]}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert wanted <= names
    # The page's sources are not needed.
    assert {name for name in names if name.startswith("client/web/")} == {str(path.relative_to(ROOT)) for path in web}
    assert {name.split("/")[0] for name in names if "dist-info" not in name} <= {
        "engine", "server", "client", "migrations", "ladders",
    }  # fmt: skip


@pytest.mark.slow
def test_the_wheel_says_who_made_it_and_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    assert metadata["Author"] == "The noughts authors"
    assert metadata["License-Expression"] == "MIT"
    assert "Topic :: Games/Entertainment :: Board Games" in metadata.get_all("Classifier", [])


@pytest.mark.slow
def test_the_source_archive_has_the_examples_and_the_documentation(tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path, cwd=ROOT)
    (built,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = [*(ROOT / "ladders").glob("*.toml"), *(ROOT / "docs").rglob("*.md"), ROOT / "ARCHITECTURE.md"]
    assert {str(path.relative_to(ROOT)) for path in wanted} <= names


@pytest.mark.slow
def test_an_example_is_played_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert "qubic-100ms: " in run(installed / "noughts", "ladder", "check", "overnight", cwd=tmp_path)


@pytest.mark.slow
def test_the_command_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert "Usage: noughts" in run(installed / "noughts", "--help", cwd=tmp_path)
    where = run(installed / "python", "-c", "import client.cli.main; print(client.cli.main.__file__)", cwd=tmp_path)
    assert where.startswith(str(installed.parent))


@pytest.mark.slow
def test_it_serves(installed: Path, tmp_path: Path) -> None:
    assert_serves(installed, tmp_path)


@pytest.mark.slow
def test_the_locked_packages_are_all_that_it_needs(wheel: Path, tmp_path: Path) -> None:
    """As `make serve` installs it: nothing but what requirements/runtime.txt pins. Needs the network or pip's cache."""
    run(sys.executable, "-m", "venv", "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    install = (python, "-m", "pip", "install", "--quiet")
    pinned = ROOT / "requirements" / "runtime.txt"
    run(*install, "--require-hashes", "--only-binary", ":all:", "--requirement", pinned, cwd=tmp_path)
    run(*install, "--no-index", "--no-deps", wheel, cwd=tmp_path)
    run(python, "-m", "pip", "check", cwd=tmp_path)
    assert_serves(python.parent, tmp_path)


def assert_serves(commands: Path, folder: Path) -> None:
    """`noughts serve` answers with its health and its page, and stops when told to."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ("--host", "127.0.0.1", "--port", str(port), "--db", str(folder / "n.db"))
    with (folder / "log").open("w+") as log:
        server = subprocess.Popen(
            [commands / "noughts", "serve", *options],
            cwd=folder,
            env=bare_environment(),
            stdout=subprocess.PIPE,
            stderr=log,
        )
        try:
            assert server.stdout is not None
            # Its only line on stdout, written once it serves; nothing comes if it ends before.
            assert server.stdout.readline().startswith(b"noughts serves at"), (folder / "log").read_text()
            assert fetch(port, "/healthz") == b"ok\n"
            page = fetch(port, "/")
            assert page is not None
            assert b"<!doctype html>" in page[:100].lower()
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=100) == 0, (folder / "log").read_text()
        finally:
            server.kill()
            server.communicate()
    assert (folder / "n.db").exists()


def fetch(port: int, path: str) -> bytes | None:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            body: bytes = answer.read()
            return body
    except urllib.error.HTTPError:
        raise
    except OSError:  # Not listening yet.
        return None
