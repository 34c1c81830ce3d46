"""What decides whether the same game or search comes out the same, bit for bit, wherever it runs."""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable


@dataclass(frozen=True, slots=True)
class Build:
    """Two processes of the same build play alike."""

    engine: str
    """A digest of the engine's sources and books."""
    python: str
    numba: str

    def __str__(self) -> str:
        return f"engine {self.engine}, Python {self.python}, numba {self.numba}"


@dataclass(frozen=True, slots=True)
class WrongBuild:
    """The answer of a worker of the cluster that would play otherwise."""

    worker: str
    has: str

    @property
    def sentence(self) -> str:
        return f"Worker {self.worker} is not used: it has {self.has}, and this is {build()}."


def build() -> Build:
    """Build of this process."""
    python = ".".join(platform.python_version_tuple()[:2])
    return Build(_engine_digest(), python, version("numba"))


def wrong(worker: str, told: object) -> WrongBuild | None:
    """What is wrong with a worker that was asked for its build; None where it may be used."""
    if told == build():
        return None
    return WrongBuild(worker, str(told) if isinstance(told, Build) else "no noughts like this one")


@cache
def _engine_digest() -> str:
    digest = hashlib.sha256()

    def add(place: Traversable, path: str) -> None:
        for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
            name = f"{path}/{entry.name}"
            if entry.is_dir():
                add(entry, name)
            elif entry.name.endswith((".py", ".book")):
                digest.update(name.encode())
                digest.update(entry.read_bytes())

    add(files("engine"), "")
    return digest.hexdigest()[:12]
