from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path

import pytest

from server.db.connect import DatabaseError, connect
from server.db.lock import DatabaseFiles, claim, ladder_suffix
from tests.support.database.database_files import new_database


def test_a_database_is_claimed_once_by_whatever_name(tmp_path: Path) -> None:
    path, link = tmp_path / "noughts.db", tmp_path / "elsewhere" / "other.db"
    link.parent.mkdir()
    link.symlink_to(path)
    with claim(path, ".lock", "taken"):
        for name in (path, link, Path(os.path.relpath(path))):
            with pytest.raises(DatabaseError, match="taken"):
                claim(name, ".lock", "taken")
        claim(path, ".ladder.lock", "taken").close()
    claim(link, ".lock", "taken").close()


def test_a_folder_that_takes_no_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "noughts.db.lock").mkdir()
    with pytest.raises(DatabaseError, match="choose another place with --db"):
        claim(tmp_path / "noughts.db", ".lock", "taken")


def test_a_folder_is_no_database_and_nothing_is_made_beside_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for folder in (tmp_path / "folder", Path(), Path("/")):
        with pytest.raises(DatabaseError, match="is a folder: name a database file in it"):
            claim(folder, ".lock", "taken")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_no_two_ladders_share_a_lock(tmp_path: Path) -> None:
    with claim(tmp_path / "noughts.db", ladder_suffix("a:b"), "taken") as lock:
        claim(tmp_path / "noughts.db", ladder_suffix("a_b"), "taken").close()
        assert Path(lock.name).name == "noughts.db.a%3Ab.ladder.lock"


def test_git_ignores_what_a_server_and_a_ladder_leave_beside_a_database() -> None:
    lines = (Path(__file__).parents[3] / ".gitignore").read_text().splitlines()
    for name in ("noughts.db", "noughts.db-wal", "noughts.db-shm", "noughts.db.lock", "noughts.db.night.ladder.lock"):
        assert any(fnmatch(name, line) for line in lines), name


def test_a_hard_link_to_a_database_is_refused(tmp_path: Path) -> None:
    path = new_database(tmp_path)
    os.link(path, tmp_path / "link.db")
    for name in (path, tmp_path / "link.db"):
        with pytest.raises(DatabaseError, match="another name, a hard link"), connect(name, "rw"):
            pass
    (tmp_path / "link.db").unlink()
    with connect(path, "rw"):
        pass


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_files_are_the_same_until_one_goes_or_another_comes(tmp_path: Path, suffix: str) -> None:
    path, log = tmp_path / "noughts.db", tmp_path / f"noughts.db{suffix}"
    path.touch()
    files = DatabaseFiles(path)
    assert files.change() is None
    log.touch()  # with the first transaction
    assert files.change() is None
    log.rename(tmp_path / "old")
    assert (
        files.change() == f"{log} was deleted while the server runs: restart it, and let only noughts touch its files."
    )
    log.touch()
    assert "was replaced" in (files.change() or "")
    (tmp_path / "old").replace(log)
    assert files.change() is None
