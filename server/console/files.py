"""Files that commands read because they were named, and files that they write: whole or what they were before."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click


@contextmanager
def named_file(path: Path | str) -> Iterator[None]:
    """For reading a file that was named on the command line, or by such a file.

    One that cannot be read, or has the wrong content, is misuse (exit status 2): the same command would fail on every
    machine. Raises click.UsageError.
    """
    from server.typed_toml import TomlError  # loads msgspec, which `--help` does without

    try:
        yield
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"{path} is not text in UTF-8.") from None
    except TomlError as error:
        raise click.UsageError(f"{path}: {error}") from None


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Where to write what the file is to hold: it is replaced at the end, and kept if anything fails.

    A link stays one, and keeps its target's mode; a device or a pipe is written to itself. A power cut afterwards loses
    nothing, so that what the file was made from may go. Raises OSError.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    target = path.resolve()
    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        yield partial
        if target.exists():
            shutil.copymode(target, partial)
        _sync(partial)
        partial.replace(target)
        with suppress(OSError):  # some file systems take no sync of a folder
            _sync(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(path: Path, content: bytes) -> None:
    """Like `new_file`, but raises click.ClickException."""
    with in_one_sentence(path), new_file(path) as partial:
        partial.write_bytes(content)


@contextmanager
def in_one_sentence(path: Path) -> Iterator[None]:
    """Turns what the system says of this file or folder into one sentence. Raises click.ClickException."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}.") from error


def must_be_writable(path: Path) -> None:
    """Checks before the work rather than after it. Raises click.ClickException."""
    is_device = path.exists() and not path.is_file() and not path.is_dir()
    place = path if is_device else path.resolve().parent
    if path.is_dir() or not (is_device or place.is_dir()) or not os.access(place, os.W_OK):
        raise click.ClickException(f"{path} cannot be written: name a file in a folder that can be.")
