"""Where a solve is saved, and what its user is told of that."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import click

from client.lab.solve.lock import lock_of, locked
from server.console.interrupts import ending_signals, handled

NOT_SAVED: Final = "The search could not be saved."


def unfinished(path: Path) -> Path:
    """The file that is written first, to take this checkpoint's place once it is whole."""
    return path.with_name(path.name + ".part")


def must_be_apart(named: Mapping[str, Path | None], saved: Iterable[Path | None]) -> None:
    """Checks before the search that none of its files is written over another, or removed as one.

    `named`: each by what it is called to the user; `saved`: those of them that are written as checkpoints are. Raises
    click.UsageError.
    """
    paths = [path for path in saved if path is not None]
    begun = [("the file in which a save begins", unfinished(path)) for path in paths]
    locks = [("the file of its lock", lock_of(path)) for path in paths]
    users = dict[Path, str]()
    for user, path in (*named.items(), *begun, *locks):
        if path is None:
            continue
        other = users.setdefault(path.resolve(), user)
        if other != user:
            raise click.UsageError(f"{path} would be both {other} and {user}: name two files.")


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold this checkpoint and the files beside it for one solve. Raises click.ClickException if another has them."""
    with ExitStack() as stack:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(path, waits=False))
        except BlockingIOError:
            raise click.ClickException(
                f"Another solve is using the checkpoint {path}: wait for it, or name another with --checkpoint."
            ) from None
        except OSError:
            pass  # nothing can be saved there either, which is told when it is tried
        yield


@contextmanager
def uninterrupted() -> Iterator[None]:
    """While the last save is written, a second Ctrl-C or another ending signal loses nothing."""
    with handled(dict.fromkeys((signal.SIGINT, *ending_signals()), signal.SIG_IGN)):
        yield


@contextmanager
def saved_if_it_fails(save: Callable[[], bool | None]) -> Iterator[None]:
    """While the proof is written: where it cannot be, what was found is saved. Raises click.ClickException.

    `save`: whether that worked; None if there is nothing to save.
    """
    try:
        yield
    except click.ClickException as error:
        after = {True: " The same command resumes.", False: f" {NOT_SAVED}", None: ""}[save()]
        raise click.ClickException(f"{error.message}{after}") from None


class Saving:
    """One checkpoint. `say` gets each sentence; whatever fails here, the search continues."""

    def __init__(self, path: Path, say: Callable[[str], object]) -> None:
        self.path = path
        self._say = say
        self._failed_before = False

    def ignored(self, why: Exception, is_another: bool) -> None:
        """`is_another`: nothing can be saved there."""
        after = ", and nothing will be saved: name another with --checkpoint" if is_another else ""
        self._say(f"The checkpoint {self.path} is ignored: {why}. Starting over{after}.")

    def resumed(self, earlier: str) -> None:
        self._say(f"Resuming from {self.path}: {earlier}.")

    def done(self, write: Callable[[], object]) -> bool:
        """False if `write` raised OSError, which is told once."""
        try:
            write()
        except OSError as error:
            if not self._failed_before:
                self._failed_before = True
                self._say(f"No checkpoint can be written to {self.path}: {error.strerror}. Continuing without one.")
            return False
        return True

    def over(self, remove: Callable[[], object]) -> None:
        try:
            remove()
        except OSError as error:
            self._say(f"The checkpoint {self.path} is no longer needed but could not be deleted: {error.strerror}.")
