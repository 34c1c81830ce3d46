"""Where the user's files are kept, and how one is written."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from client.terminal.config import write_whole


def test_nobody_else_can_look_into_the_folder(tmp_path: Path) -> None:
    written = tmp_path / "noughts" / "identity.json"
    write_whole(written, "{}")
    assert [stat.S_IMODE(path.stat().st_mode) for path in (written.parent, written)] == [0o700, 0o600]


def test_a_link_stays_one(tmp_path: Path) -> None:
    kept, link = tmp_path / "dotfiles" / "terminal.json", tmp_path / "noughts" / "terminal.json"
    for folder in (kept.parent, link.parent):
        folder.mkdir()
    link.symlink_to(kept)
    for text in ("{}", "[]"):  # the first makes what the link names
        write_whole(link, text)
        assert (link.is_symlink(), kept.read_text()) == (True, text)


def test_a_file_that_cannot_be_replaced_leaves_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "identity.json"
    folder.mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(folder, "{}")
    assert [*tmp_path.iterdir()] == [folder]
