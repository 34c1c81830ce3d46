"""One parser under one fuzzer, in a process of its own: libFuzzer ends the process that it runs in."""

from __future__ import annotations

import sys
from typing import Any

import atheris  # type: ignore[import-untyped]

with atheris.instrument_imports(include=["client", "server", "engine"], exclude=["engine.kernels"]):
    from tests.fuzz.parsers import PARSERS


def main(name: str, *arguments: str) -> None:
    """`arguments` are libFuzzer's."""
    parser = PARSERS[name]
    seal = parser.seal
    mutators: dict[str, Any] = {}
    if seal is not None:

        def sealed(data: bytes, most: int, seed: int) -> bytes:
            return seal(atheris.Mutate(data, most))

        mutators["custom_mutator"] = sealed
    atheris.Setup(["fuzz", *arguments], parser.read, **mutators)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
