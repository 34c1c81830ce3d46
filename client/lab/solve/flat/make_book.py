"""`python -m client.lab.solve.flat.make_book`: solve the openings that `perfect` looks up, and rewrite their file.

It takes minutes, and the file is the same each time. A path after it names another place.
"""

from __future__ import annotations

import sys
from pathlib import Path

from engine.search.perfect import flat_book
from server.console.files import write_file


def main(out: Path) -> None:
    data = flat_book.to_bytes(flat_book.make(lambda game, positions: print(f"{game}: {positions}", file=sys.stderr)))
    write_file(out, data)
    print(f"{len(data):,} bytes in {out}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(flat_book.__file__).with_name("flat.book"))
