"""The files in `deploy/` name what there is: flags, settings, paths, endpoints. The tools that read them can do so."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import click
import pytest
import yaml  # type: ignore[import-untyped]

from client.cli.main import cli
from server.config import SETTINGS
from server.http.routes import ROUTES

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
SERVICE = (DEPLOY / "noughts.service").read_text()
SOCKET = (DEPLOY / "noughts.socket").read_text()
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
CLUSTER: dict[str, Any] = yaml.safe_load((DEPLOY / "cluster.yaml").read_text())
VARIABLES = {setting.variable for setting in SETTINGS}
PORT = next(setting.default for setting in SETTINGS if setting.name == "port")


def value(unit: str, name: str) -> str:
    (found,) = re.findall(rf"^{name}=(.+)$", unit, re.MULTILINE)
    return str(found)


def test_the_service_starts_the_server_with_flags_that_it_has() -> None:
    program, command, *flags = value(SERVICE, "ExecStart").split()
    assert program == "/opt/noughts/bin/noughts", "where docs/operating.md installs it"
    assert cli.get_command(click.Context(cli), command) is not None
    assert {flag for flag in flags if flag.startswith("--")} <= {setting.flag for setting in SETTINGS}
    assert value(SERVICE, "Environment") == f"NUMBA_CACHE_DIR=/var/cache/{value(SERVICE, 'CacheDirectory')}"
    assert flags[flags.index("--db") + 1].startswith(f"/var/lib/{value(SERVICE, 'StateDirectory')}/")
    assert "MemoryDenyWriteExecute=true" not in SERVICE, "numba compiles at run time"


def test_a_stop_reaches_the_server_first_and_not_its_workers() -> None:
    assert value(SERVICE, "KillMode") == "mixed"


def test_everybody_finds_the_server_at_the_same_port() -> None:
    here = f"127.0.0.1:{PORT}"
    assert value(SOCKET, "ListenStream") == here
    assert here in (DEPLOY / "Caddyfile").read_text()
    assert f"http://{here};" in (DEPLOY / "nginx.conf").read_text()
    assert f"EXPOSE {PORT}\n" in DOCKERFILE
    assert COMPOSE["services"]["caddy"]["environment"]["NOUGHTS_UPSTREAM"] == f"noughts:{PORT}"


def test_the_image_is_made_of_what_is_here() -> None:
    sources = re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE)
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
    kept = re.findall(r"^!(\S+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    for source in kept:
        assert (ROOT / source).exists(), source
    packages = re.search(r"^packages = \[(.+)\]$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert packages is not None
    assert set(re.findall(r'"(\w+)"', packages[1])) <= set(kept), "what the wheel holds"


def test_the_image_can_be_built_from_the_source_archive() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    archived = {name.removeprefix("/") for name in build["targets"]["sdist"]["include"]} | {"pyproject.toml"}
    kept = re.findall(r"^!([^/\s]+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert {"deploy", *kept} <= archived


def test_scheduler_and_workers_of_a_cluster_are_one_image_with_dask() -> None:
    services = CLUSTER["services"]
    assert set(services) == {"scheduler", "worker"}
    for service in services.values():
        build = service["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).exists()
        pinned = (ROOT / "requirements" / f"{build['args']['REQUIREMENTS']}.txt").read_text()
        assert re.search(r"^distributed==", pinned, re.MULTILINE)
    assert "ARG REQUIREMENTS=runtime\n" in DOCKERFILE
    [port] = services["scheduler"]["ports"]
    assert port.startswith("127.0.0.1:"), "whoever reaches it runs code"
    assert f"tcp://scheduler:{port.rpartition(':')[2]}" in services["worker"]["entrypoint"]


def test_the_image_sets_what_the_server_reads() -> None:
    named = set(re.findall(r"\b(NOUGHTS_\w+)=", DOCKERFILE))
    assert named
    assert named <= VARIABLES
    assert set(COMPOSE["services"]["noughts"]["environment"]) <= VARIABLES
    (health,) = re.findall(rf"http://127\.0\.0\.1:{PORT}(/\w+)'", DOCKERFILE)
    assert health in {route.path for route in ROUTES}
    assert re.search(r"^USER [1-9]\d*$", DOCKERFILE, re.MULTILINE), "not root"


def test_the_server_trusts_the_address_that_the_proxy_has() -> None:
    services = COMPOSE["services"]
    proxy = services["caddy"]["networks"]["inside"]["ipv4_address"]
    assert services["noughts"]["environment"]["NOUGHTS_TRUSTED_PROXY"] == proxy
    assert "ports" not in services["noughts"], "reached through the proxy alone"
    assert (DEPLOY / services["noughts"]["build"]["context"] / services["noughts"]["build"]["dockerfile"]).exists()


def test_nobody_is_given_the_address_of_the_proxy() -> None:
    """Docker gives the first free one to whoever starts first and names none."""
    [network] = COMPOSE["networks"]["inside"]["ipam"]["config"]
    named = [ip_address(one["networks"]["inside"]["ipv4_address"]) for one in COMPOSE["services"].values()]
    assert len(set(named)) == len(named)
    subnet = ip_network(network["subnet"])
    gateway = next(subnet.hosts())
    assert all(one in subnet and one != gateway for one in named)


def test_the_manual_leads_to_every_file() -> None:
    manual = (ROOT / "docs" / "operating.md").read_text()
    for file in DEPLOY.iterdir():
        assert f"deploy/{file.name}" in manual or file.suffix == ".dockerignore", file.name


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


def test_caddy_reads_its_file() -> None:
    done = run("caddy", "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile")
    assert done.returncode == 0, done.stderr
    assert run("caddy", "fmt", DEPLOY / "Caddyfile").stdout == (DEPLOY / "Caddyfile").read_text()


def test_nginx_reads_its_file(tmp_path: Path) -> None:
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x",
        "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem")  # fmt: skip
    site = (DEPLOY / "nginx.conf").read_text().replace("/etc/letsencrypt/live/play.example.org", str(tmp_path))
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{site}\n}}\n")
    done = run("nginx", "-t", "-e", "stderr", "-c", tmp_path / "nginx.conf")
    assert done.returncode == 0, done.stderr


def test_systemd_reads_its_files(tmp_path: Path) -> None:
    (tmp_path / "noughts.socket").write_text(SOCKET)
    (tmp_path / "noughts.service").write_text(SERVICE.replace("/opt/noughts/bin/noughts", "/bin/true"))
    done = run("systemd-analyze", "verify", tmp_path / "noughts.service", tmp_path / "noughts.socket")
    assert (done.returncode, done.stderr) == (0, "")
