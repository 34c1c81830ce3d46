"""The file of a nine-board proof, written a part at a time, so that an interrupted solve resumes with the next.

Its format is in client/lab/verify/nine_board_checker.py. While parts are missing it lies beside the checkpoint.
"""

from __future__ import annotations

import errno
import hashlib
import os
import struct
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from engine.rules.nested import NestedPosition
from engine.rules.position import O, X
from engine.search.solve.nine_board_solver import FREE, Place
from engine.search.solve.nine_board_strategy import Claim, Part

_MAGIC: Final = b"ninegame"
_HEAD: Final = struct.Struct("<8sBB11s11sB")
_CLAIM: Final = struct.Struct("<BB")
_PART: Final = struct.Struct("<IIII")
_PLACE: Final = struct.Struct("<11s11sB")
_END: Final = bytes(4)
_NUMBERS: Final = {X: 1, O: 2}
_BLOCK: Final = 1 << 20
_DIGEST_BYTES: Final = 32


class _Piece(NamedTuple):
    """A part in the file."""

    begun: tuple[Place, ...]
    left: tuple[Place, ...]
    moves: int


class ProofFile:
    """A proof that may lack parts. Raises OSError."""

    def __init__(self, path: Path, position: NestedPosition, claims: tuple[Claim, ...]) -> None:
        """Goes on with what is there, if that is of the same proof; else it begins anew."""
        self._claims = claims
        self.moves = 0
        """Moves in the parts that are there."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = path.open("r+b" if path.exists() else "x+b")
        if self._file.read(len(_MAGIC)) not in (b"", _MAGIC):
            self._file.close()
            raise FileExistsError(errno.EEXIST, "Another file is there")
        self._file.seek(0)
        marks = position.x.to_bytes(11, "little"), position.o.to_bytes(11, "little")
        forced = FREE if position.forced is None else position.forced
        self._have(_HEAD.pack(_MAGIC, 2, len(claims), *marks, forced))

    def prove(
        self,
        first_places: Callable[[Claim], Iterable[Place]],
        parts: Callable[[Claim, list[Place]], Generator[Part]],
    ) -> None:
        """Have all claims proven: `parts` yields what proves those places, and each of them is kept at once."""
        for claim in self._claims:
            self._have(_CLAIM.pack(_NUMBERS[claim.prover], claim.needs_line))
            wanted = dict.fromkeys(first_places(claim))
            begun = set[Place]()
            for piece in self._pieces():
                wanted.update(dict.fromkeys(piece.left))
                begun.update(piece.begun)
                self.moves += piece.moves
            missing = [place for place in wanted if place not in begun]
            if missing:
                with closing(parts(claim, missing)) as found:
                    for part in found:
                        if begun.issuperset(part.begun):
                            continue  # an earlier run has proven what a part of this one left
                        self._put(_packed(part))
                        self.moves += len(part.moves)
            self._have(_END)

    def close(self) -> None:
        self._file.close()

    @staticmethod
    def remove(path: Path) -> None:
        """Nothing happens to another file."""
        with suppress(FileNotFoundError):
            with path.open("rb") as file:
                is_ours = file.read(len(_MAGIC)) in (b"", _MAGIC)
            if is_ours:
                path.unlink()

    @staticmethod
    def is_unfinished(path: Path) -> bool:
        """Whether parts of a proof are there, and not the whole with its checksum. Raises OSError."""
        with path.open("rb") as file:
            digest, tail = hashlib.sha256(), file.read(len(_MAGIC))
            if tail != _MAGIC:
                return False
            while block := file.read(_BLOCK):
                tail += block
                digest.update(tail[:-_DIGEST_BYTES])
                tail = tail[-_DIGEST_BYTES:]
        return digest.digest() != tail

    def copy_to(self, file: BinaryIO) -> int:
        """The whole proof, with its checksum; the bytes written."""
        self._file.seek(0)
        digest, size = hashlib.sha256(), 0
        while block := self._file.read(_BLOCK):
            digest.update(block)
            size += file.write(block)
        return size + file.write(digest.digest())

    def _pieces(self) -> Iterator[_Piece]:
        """The pieces that are there; the file then stands behind the last that is whole."""
        while True:
            at = self._file.tell()
            head = self._file.read(_PART.size)
            if len(head) < _PART.size or head.startswith(_END):
                break
            begun, left, moves, size = _PART.unpack(head)
            packed = self._file.read(size)
            if len(packed) < size:
                break
            places = _unpacked(packed, _PLACE.size * (begun + left), moves)
            if places is None:
                break
            found = tuple(
                (int.from_bytes(own, "little"), int.from_bytes(others, "little"), forced)
                for own, others, forced in _PLACE.iter_unpack(places)
            )
            if not set(found[:begun]).isdisjoint(found[begun:]):
                break  # proves nothing; until November 2026 such parts were written
            yield _Piece(found[:begun], found[begun:], moves)
        self._file.seek(at)

    def _have(self, piece: bytes) -> None:
        """Whatever else is there is overwritten."""
        at = self._file.tell()
        if self._file.read(len(piece)) != piece:
            self._file.seek(at)
            self._put(piece)

    def _put(self, piece: bytes) -> None:
        """Nothing follows: what was cut off there is no part."""
        self._file.truncate(self._file.tell())
        self._file.write(piece)
        self._file.flush()
        os.fsync(self._file.fileno())


def _unpacked(packed: bytes, size: int, moves: int) -> bytes | None:
    """The bytes of a part's positions; None for a part that does not hold what it says, its checksum included."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, size + moves + 1)
    except zlib.error:
        return None
    is_whole = unpacker.eof and not unpacker.unused_data and len(data) == size + moves
    return data[:size] if is_whole else None


def _packed(part: Part) -> bytes:
    places = b"".join(
        _PLACE.pack(own.to_bytes(11, "little"), others.to_bytes(11, "little"), forced)
        for own, others, forced in (*part.begun, *part.left)
    )
    packed = zlib.compress(places + part.moves, 9)
    return _PART.pack(len(part.begun), len(part.left), len(part.moves), len(packed)) + packed
