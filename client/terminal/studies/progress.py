"""The puzzles that were solved on this machine, in a file beside the settings."""

from __future__ import annotations

from pathlib import Path

import msgspec

from client.terminal import config
from client.terminal.language import t
from client.terminal.preferences import Preferences

_MOST = 1000


class Progress:
    """A file that cannot be read, or that holds something else, is as good as none."""

    def __init__(self, preferences: Preferences) -> None:
        self._path = preferences.path.with_name("solved.json") if preferences.path is not None else None
        self._solved = _read(self._path) if self._path is not None else []

    def has(self, name: str) -> bool:
        return name in self._solved

    def add(self, name: str) -> str:
        """Why it cannot be kept, if so."""
        if name in self._solved:
            return ""
        self._solved = [*self._solved, name][-_MOST:]
        if self._path is not None:
            try:
                config.write_whole(self._path, msgspec.json.encode(self._solved).decode() + "\n")
            except OSError as error:
                return t("settings.unkept", path=self._path, reason=config.reason(error))
        return ""


def _read(path: Path) -> list[str]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[str])
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return []
