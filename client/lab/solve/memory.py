"""How much memory this process may still use: what the machine has free, within all limits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_PROC: Final = Path("/proc")
_GROUPS: Final = Path("/sys/fs/cgroup")


def available_bytes(proc: Path = _PROC, groups: Path = _GROUPS) -> int | None:
    """What can safely be used; None if this system does not report it."""
    return min((*_free(proc), *_left_of_address_space(proc), *_left_of_groups(proc, groups)), default=None)


def _free(proc: Path) -> Iterator[int]:
    for line in _text(proc / "meminfo").splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            yield int(rest.split()[0]) << 10
            return
    try:
        yield os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return


def _left_of_address_space(proc: Path) -> Iterator[int]:
    """`ulimit -v`."""
    if resource is None:
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    pages = _text(proc / "self" / "statm").split()
    if limit != resource.RLIM_INFINITY:
        yield max(0, limit - (int(pages[0]) * resource.getpagesize() if pages else 0))


def _left_of_groups(proc: Path, groups: Path) -> Iterator[int]:
    """Containers and services: the group this process is in, and every group around it."""
    for line in _text(proc / "self" / "cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            folder, most, used = groups, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            folder, most, used = groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
        else:
            continue
        inside = folder / path.lstrip("/")
        for group in (inside, *inside.parents):
            limit, taken = _text(group / most).strip(), _text(group / used).strip()
            if limit.isdigit() and taken.isdigit():
                yield max(0, int(limit) - int(taken) + _droppable(group))
            if group == folder:
                break


def _droppable(group: Path) -> int:
    """Page cache that the kernel can drop."""
    fields = dict(line.split(maxsplit=1) for line in _text(group / "memory.stat").splitlines() if " " in line)
    return int(fields.get("inactive_file", 0))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
