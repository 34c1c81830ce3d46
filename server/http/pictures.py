"""The statistics as charts, drawn by a separate process when somebody asks for them.

What draws needs a plotting library and some seconds of a processor, so the serving process loads none of it: it runs
`python -m server.report.pictures`, niced and one at a time, reads what that wrote and removes it. A request gets the
current charts at once, perhaps old ones, and learns whether new ones are being drawn.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from server.http.answers.charts import PartAnswer, PictureAnswer, SaidAnswer, StatsAnswer, TableAnswer
from server.workers.program import Program

log = logging.getLogger(__name__)

AGAIN_AFTER_MS = 60_000
"""Charts younger than this are not redrawn, nor is a failed drawing retried."""
DRAWING_S = 600.0
"""A drawing that takes longer has hung."""
PICTURE_BYTES = 8_000_000
"""A larger file is no picture for a page."""
NICE = 15

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


class _Picture(msgspec.Struct):
    name: str
    title: str
    alt: str
    reading: str
    file: str
    part: str
    game: str | None


class _Drawn(msgspec.Struct):
    """`stats.json`, as `server.report.pictures` writes it."""

    as_of_ms: int
    games: int
    parts: list[PartAnswer]
    pictures: list[_Picture]
    tables: list[TableAnswer]
    said: dict[str, SaidAnswer]


@dataclass(frozen=True, slots=True)
class PictureFile:
    body: bytes
    tag: str


class CannotDraw(Exception):
    """One sentence for people on why there are no new charts."""


def command(db: str, folder: str) -> list[str]:
    """Draws the public statistics of `db` into `folder`, which does not exist yet."""
    return [sys.executable, "-m", "server.report.pictures", "--db", db, "--out", folder, "--public"]


class Pictures:
    """Made by the shell, ended by `close`. `finished_since` counts games that ended after a Unix time in ms."""

    def __init__(
        self,
        db: str,
        finished_since: Callable[[int], Awaitable[int]],
        unix_ms: Callable[[], int],
        command: Callable[[str, str], Sequence[str]] = command,
    ) -> None:
        self._db = db
        self._finished_since = finished_since
        self._unix_ms = unix_ms
        self._command = command
        self._drawn: _Drawn | None = None
        self._files: dict[str, PictureFile] = {}
        self._error: str | None = None
        self._tried_ms: int | None = None
        self._drawing: asyncio.Task[None] | None = None

    async def answer(self) -> StatsAnswer:
        """What there is now; begins to draw where that is due."""
        if await self._due() and self._drawing is None:
            self._tried_ms = self._unix_ms()
            self._drawing = asyncio.create_task(self._draw(), name="pictures")
        drawn = self._drawn or _Drawn(as_of_ms=0, games=0, parts=[], pictures=[], tables=[], said={})
        return StatsAnswer(
            as_of_ms=drawn.as_of_ms if self._drawn else None,
            games=drawn.games,
            parts=drawn.parts,
            pictures=[
                PictureAnswer(
                    name=picture.name,
                    title=picture.title,
                    alt=picture.alt,
                    reading=picture.reading,
                    part=picture.part,
                    game=picture.game,
                    # So that a redrawn chart is fetched again.
                    url=f"/api/stats/{picture.name}.svg?{self._files[picture.name].tag}",
                )
                for picture in drawn.pictures
            ],
            tables=drawn.tables,
            said=drawn.said,
            drawing=self._drawing is not None,
            error=self._error,
        )

    def file(self, name: str) -> PictureFile | None:
        """A picture by its name, in SVG."""
        return self._files.get(name)

    async def close(self) -> None:
        """Ends a drawing that runs."""
        if self._drawing is not None:
            self._drawing.cancel()
            await asyncio.wait([self._drawing])

    async def _due(self) -> bool:
        if self._drawing is not None:
            return False
        if self._tried_ms is not None and self._unix_ms() < self._tried_ms + AGAIN_AFTER_MS:
            return False
        return bool(await self._finished_since(self._drawn.as_of_ms if self._drawn else 0))

    async def _draw(self) -> None:
        try:
            with TemporaryDirectory(prefix="noughts-pictures-") as folder:
                out = Path(folder) / "out"
                await self._run(self._command(self._db, str(out)))
                self._drawn, self._files = await asyncio.to_thread(_load, out)
                self._error = None
        except CannotDraw as error:
            self._error = str(error)
        except (OSError, msgspec.MsgspecError):
            log.exception("the pictures cannot be drawn")
            self._error = "The charts could not be drawn; see the server's log."
        finally:
            self._drawing = None

    async def _run(self, command: Sequence[str]) -> None:
        program = await Program.start(command, nice=NICE)
        try:
            status, said = await program.finish(DRAWING_S)
        except TimeoutError:
            raise CannotDraw(f"Drawing the charts took longer than {DRAWING_S:.0f} s and was stopped.") from None
        finally:
            await program.end()
        if status:
            raise CannotDraw(_reason(status, said))


def _reason(status: int, errors: str) -> str:
    """A program of ours that ends with status 2 has said in one sentence what is wrong; else the log must serve."""
    lines = errors.strip().splitlines()
    if status == 2 and lines:
        return lines[-1].removeprefix("Error: ")
    log.error("the pictures cannot be drawn", extra={"status": status, "errors": errors[-4000:]})
    return "The charts could not be drawn; see the server's log."


def _load(folder: Path) -> tuple[_Drawn, dict[str, PictureFile]]:
    """What was drawn, without pictures that are named oddly or are too large. Raises OSError and MsgspecError."""
    drawn = msgspec.json.decode((folder / "stats.json").read_bytes(), type=_Drawn)
    files: dict[str, PictureFile] = {}
    for picture in drawn.pictures:
        path = folder / picture.file
        fits = _NAME.fullmatch(picture.name) and path.parent == folder and path.stat().st_size <= PICTURE_BYTES
        if fits:
            body = path.read_bytes()
            files[picture.name] = PictureFile(body, hashlib.sha256(body).hexdigest()[:16])
    drawn.pictures = [picture for picture in drawn.pictures if picture.name in files]
    return drawn, files
