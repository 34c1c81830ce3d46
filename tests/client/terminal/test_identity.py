"""The file of tokens: kept for each server, for the user alone; another file is refused and left as it is."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from client.terminal import identity
from client.terminal.identity import BadTokenFile, keep_token, read_token


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "noughts" / "tokens.json"


def test_tokens_are_kept_by_server(path: Path) -> None:
    assert read_token(path, "http://a") is None
    keep_token(path, "http://a", "one")
    keep_token(path, "http://b", "two")
    keep_token(path, "http://a", "three")
    assert (read_token(path, "http://a"), read_token(path, "http://b")) == ("three", "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"http://a": 1}', b'{"http://a": null}', b"\xff\xfe", b'{"\xff": "a"}', b"[" * 100_000]
)
def test_another_file_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(BadTokenFile):
        read_token(path, "http://a")
    with pytest.raises(BadTokenFile):
        keep_token(path, "http://a", "one")
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadTokenFile, match="is a directory"):
        read_token(tmp_path, "http://a")
    (tmp_path / "file").touch()
    with pytest.raises(BadTokenFile, match="not a directory"):
        keep_token(tmp_path / "file" / "tokens.json", "http://a", "one")


def test_where_tokens_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert identity.default_path() == tmp_path / "noughts" / "tokens.json"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/ada")
    assert identity.default_path() == Path("/home/ada/.config/noughts/tokens.json")
