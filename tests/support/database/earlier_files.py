"""Files made by an earlier release; tests/data/before/README.md says how."""

from __future__ import annotations

import gzip
import time
from pathlib import Path
from typing import Final

from tests.support.database.database_files import execute

FOLDER: Final = Path(__file__).parents[2] / "data" / "before"

ANN_TOKEN: Final = "0zg8vtgdkKRl2CiqyqTGFlv9WTpGTkxhlRxeh-L-ot8"
BOB_TOKEN: Final = "Y4lAmPxE96U_bVW2DXrhGOkngOLbErJ9-uGHXpeHJQM"
RUNNING_ROOM: Final = "14866c731c"
INVITE_CODE: Final = "lVcXClG26r2JPmx4K0LbuQ"
INVITE_ROOM: Final = "dd43e16b0b"
RUN_IDS: Final = ["before/small/bd9d2412d6f1", "before/mnk:4,4,4/0c25da1c5cb2"]
"""Of the lists, in the order of the configuration."""


def database(folder: Path) -> Path:
    """A copy of the database. Its invitation was made just now, since one waits for a day only."""
    path = folder / "noughts.db"
    path.write_bytes(gzip.decompress((FOLDER / "noughts.db.gz").read_bytes()))
    execute(path, "UPDATE rooms SET created_ms = ? WHERE id = ?", (time.time_ns() // 1_000_000, INVITE_ROOM))
    return path
