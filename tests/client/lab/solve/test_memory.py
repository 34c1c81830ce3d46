"""What memory is free: the machine's, and what limits leave of it."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from client.lab.solve.memory import available_bytes

GB = 1 << 30


def machine(folder: Path, free: int | None, group: str) -> tuple[Path, Path]:
    """A pretended /proc and /sys/fs/cgroup."""
    proc, groups = folder / "proc", folder / "cgroup"
    (proc / "self").mkdir(parents=True)
    groups.mkdir()
    if free is not None:
        (proc / "meminfo").write_text(f"MemTotal: 9 kB\nMemFree: 1 kB\nMemAvailable:   {free >> 10} kB\n")
    (proc / "self" / "cgroup").write_text(group)
    return proc, groups


def limited(group: Path, most: str, used: int, files: int = 0) -> None:
    group.mkdir(parents=True, exist_ok=True)
    (group / "memory.max").write_text(f"{most}\n")
    (group / "memory.current").write_text(f"{used}\n")
    (group / "memory.stat").write_text(f"anon 5\ninactive_file {files}\n")


def test_what_the_machine_has(tmp_path: Path) -> None:
    assert available_bytes(*machine(tmp_path, 8 * GB, "0::/\n")) == 8 * GB


def test_the_tightest_of_nested_groups_counts(tmp_path: Path) -> None:
    proc, groups = machine(tmp_path, 8 * GB, "0::/outer/inner\n")
    limited(groups / "outer" / "inner", "max", 1 * GB)
    assert available_bytes(proc, groups) == 8 * GB
    limited(groups / "outer", str(3 * GB), 2 * GB)
    assert available_bytes(proc, groups) == 1 * GB
    limited(groups / "outer", str(3 * GB), 2 * GB, files=GB // 2)
    assert available_bytes(proc, groups) == 3 * GB // 2
    limited(groups / "outer" / "inner", str(GB), 2 * GB)
    assert available_bytes(proc, groups) == 0


def test_groups_of_the_old_kind(tmp_path: Path) -> None:
    proc, groups = machine(tmp_path, 8 * GB, "3:cpu:/a\n2:memory,hugetlb:/a\n")
    group = groups / "memory" / "a"
    group.mkdir(parents=True)
    (group / "memory.limit_in_bytes").write_text(str(GB))
    (group / "memory.usage_in_bytes").write_text(str(GB // 4))
    assert available_bytes(proc, groups) == 3 * GB // 4


def test_a_system_that_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr("client.lab.solve.memory.os.sysconf", unknown)
    monkeypatch.setattr("client.lab.solve.memory.resource.getrlimit", lambda which: (resource.RLIM_INFINITY, 0))
    assert available_bytes(*machine(tmp_path, None, "")) is None


def test_a_limit_of_address_space() -> None:
    script = (
        "import resource, client.lab.solve.memory as m; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
    )
    done = subprocess.run(
        [sys.executable, "-c", script + "print(m.available_bytes())"], capture_output=True, text=True, check=True
    )
    assert 0 < int(done.stdout) < GB


def test_here() -> None:
    found = available_bytes()
    assert found is None or found > 1 << 20
