"""Processes that draw charts: they load matplotlib while the database is read, and draw several at a time."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final, NamedTuple, TypeAlias

from server.db.connect import DatabaseError
from server.report.plots import Picture

_GARBAGE: Final = 100_000
"""New objects between two looks for garbage: by default they take a fifth of the time of drawing."""


class Drawn(NamedTuple):
    name: str
    """The picture's."""
    svg: str
    png: bytes


Drawer: TypeAlias = Callable[[Iterable[Picture]], Iterator[Drawn]]
"""Draws pictures, in their order."""


class DrawingFailed(DatabaseError):
    """A process that drew is gone."""


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def drawers(jobs: int) -> Iterator[Drawer]:
    """With one job this process draws by itself."""
    if jobs == 1:
        before = gc.get_threshold()
        gc.set_threshold(_GARBAGE)
        try:
            yield lambda pictures: map(draw, pictures)
        finally:
            gc.set_threshold(*before)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    try:
        pool.submit(_load)  # starts every process now, not with the first picture
        yield lambda pictures: _drawn_by(pool, pictures)
    finally:
        pool.shutdown(cancel_futures=True)


def _drawn_by(pool: ProcessPoolExecutor, pictures: Iterable[Picture]) -> Iterator[Drawn]:
    try:
        yield from pool.map(draw, pictures)
    except BrokenProcessPool as error:
        raise DrawingFailed(
            "A process that drew charts was ended from outside: --jobs 1 draws without others."
        ) from error


def draw(picture: Picture) -> Drawn:
    from server.report.drawing import Drawing

    drawing = Drawing(picture)
    return Drawn(picture.name, drawing.svg(), drawing.png())


def _begin() -> None:
    """An interrupt reaches every process of a terminal: the report's own ends these."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(_GARBAGE)
    _load()


def _load() -> None:
    import server.report.drawing  # noqa: F401
