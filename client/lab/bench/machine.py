"""What Linux reports about processes, and about the machine that a figure belongs to."""

from __future__ import annotations

import os
import platform
import resource
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

from msgspec import Struct

TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Machine(Struct, frozen=True):
    processor: str
    cores: int
    memory_gb: float
    system: str
    python: str
    folder: str
    sync_ms: float
    """median time of a 4 KiB write and fsync in `folder`"""

    def __str__(self) -> str:
        return f"{self.computer}; database in {self.folder}, where an fsync takes {self.sync_ms:.2f} ms"

    @property
    def computer(self) -> str:
        """The machine without its disk."""
        return f"{self.processor}, {self.cores} cores, {self.memory_gb:.0f} GB; {self.system}; Python {self.python}"


def machine(folder: Path) -> Machine:
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_gb=round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        folder=str(folder),
        sync_ms=_sync_ms(folder),
    )


def cpu_s(pid: int) -> float:
    """Processor time that a process has used in all its threads that live; its children are not counted."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    except (OSError, IndexError):
        # Some kernels keep no schedstat; these are ticks of 10 ms.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK_S


class Memory(Struct, frozen=True):
    """Memory in bytes: all that is resident, its fair share of what others use too, and what it alone uses."""

    rss: int
    pss: int
    uss: int


def memory(pid: int) -> Memory:
    kilobytes: dict[str, int] = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, _, value = line.partition(":")
        kilobytes[name] = int(value.split()[0])
    private = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return Memory(kilobytes["Rss"] * 1024, kilobytes["Pss"] * 1024, private * 1024)


def raise_file_limit() -> int:
    """Raises the limit of open files as far as allowed; returns it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return soft


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _sync_ms(folder: Path) -> float:
    taken_ms = []
    with TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(50):
            file.write(bytes(4096))
            begun = time.perf_counter()
            os.fsync(file.fileno())
            taken_ms.append((time.perf_counter() - begun) * 1000)
    return median(taken_ms)
