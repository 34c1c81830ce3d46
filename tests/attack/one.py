"""One attack as a process of its own, so that what it takes is not what honest players feel of their own process."""

from __future__ import annotations

import os
import sys

import msgspec
import uvloop

from client.lab.bench.machine import raise_file_limit
from tests.attack.catalogue import ATTACKS
from tests.attack.entry import Field
from tests.attack.outcome import Told


def main(name: str, host: str, port: str, seconds: str, *sources: str) -> None:
    """`sources` are addresses; without any the system picks one."""
    raise_file_limit()
    os.nice(10)
    field = Field(host, int(port), [*sources] or [None], float(seconds))
    print("begun", flush=True)
    uvloop.run(ATTACKS[name].run(field))
    told = Told(field.tried, dict(field.refused), field.dropped, field.harm)
    sys.stdout.buffer.write(msgspec.json.encode(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
