"""Checkpoint files, from which a long solve resumes: written atomically, identified by their first line, checksummed.

A line of JSON says what wrote the file and what is in it; then come arrays as they are in memory, then the SHA-256
of everything before it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from client.lab.solve.lock import opened
from client.lab.solve.saving import unfinished

_LONGEST_HEAD: Final = 4_096
_DIGEST_BYTES: Final = 32


class Unusable(Exception):
    """The text says what is wrong with a checkpoint, and begins with a small letter."""

    def __init__(self, why: str, is_another: bool = False) -> None:
        """`is_another`: it is no checkpoint of this question, so it is left alone and nothing can be saved there."""
        super().__init__(why)
        self.is_another = is_another


def default_path(question: str) -> Path:
    """The same for the same question, in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    readable = re.sub(r"[^a-z0-9]+", "-", question.lower())[:40].strip("-")
    digest = hashlib.sha256(question.encode()).hexdigest()[:12]
    return Path(base) / "noughts" / "solve" / f"{readable}.{digest}.checkpoint"


def write(path: Path, kind: str, question: str, head: dict[str, Any], arrays: Iterable[Any]) -> None:
    """Writes all of it or nothing, even if interrupted. `kind`: the command that wrote it; `question`: what it solves.

    Raises OSError, also if anything but a checkpoint of the same question is there.
    """
    if not _is_free(path, kind, question):
        raise FileExistsError(errno.EEXIST, "Another file is there")
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = unfinished(path)
    line = json.dumps({"noughts": kind, "question": question, **head}).encode() + b"\n"
    digest = hashlib.sha256(line)
    with opened(begun, waits=True) as file:
        try:
            file.truncate(0)
            file.write(line)
            for array in arrays:
                part = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
                digest.update(part)
                file.write(part)
            file.write(digest.digest())
            file.flush()
            os.fsync(file.fileno())
            begun.replace(path)
        except OSError:
            with suppress(OSError):
                begun.unlink(missing_ok=True)
            raise


def read(path: Path, kind: str, question: str, fresh: bool = False) -> tuple[dict[str, Any], memoryview] | None:
    """The first line and the arrays' bytes; None if there is no file. Raises Unusable.

    `fresh`: None for any checkpoint of the question too; another file, where nothing can be saved, is still Unusable.
    """
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST_HEAD)
            head = _head(line, kind, question)
            if fresh:
                return None
            body = memoryview(file.read())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unusable(f"it cannot be read: {error.strerror}") from None
    digest = hashlib.sha256(line)
    digest.update(body[:-_DIGEST_BYTES])
    if digest.digest() != body[-_DIGEST_BYTES:]:
        raise Unusable("it is damaged or cut off: its checksum is wrong")
    return head, body[:-_DIGEST_BYTES]


def spent(head: dict[str, Any]) -> tuple[int, float]:
    """The positions and the seconds of CPU that a first line tells. Raises what `odd_is_unusable` expects."""
    nodes, cpu_s = int(head["nodes"]), float(head["cpu_s"])
    if nodes < 0 or not 0 <= cpu_s < math.inf:
        raise ValueError(nodes, cpu_s)
    return nodes, cpu_s


def remove(path: Path, kind: str, question: str) -> None:
    """Deletes a checkpoint and what an interrupted write left. Leaves other files alone. Raises OSError."""
    unfinished(path).unlink(missing_ok=True)
    if _is_free(path, kind, question):
        path.unlink(missing_ok=True)


@contextmanager
def odd_is_unusable() -> Iterator[None]:
    """A right checksum proves nothing about who wrote the contents."""
    try:
        yield
    except (LookupError, TypeError, ValueError, OverflowError):
        raise Unusable("its contents are invalid") from None


def _is_free(path: Path, kind: str, question: str) -> bool:
    """Nothing is there, or a checkpoint of the same question, even a damaged one or one of another version."""
    try:
        with path.open("rb") as file:
            _head(file.readline(_LONGEST_HEAD), kind, question)
    except FileNotFoundError:
        return True
    except Unusable:
        return False
    return True


def _head(line: bytes, kind: str, question: str) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):  # the second for thousands of brackets
        head = None
    if not isinstance(head, dict) or head.get("noughts") != kind:
        raise Unusable(f"it is not a checkpoint of `noughts {kind}`", is_another=True)
    if head.get("question") != question:
        raise Unusable("it belongs to another position", is_another=True)
    return head
