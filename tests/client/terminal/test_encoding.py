"""Text for terminals of other encodings."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper

import pytest

from client.sdk.text import width
from client.terminal.drawing.boards import FRAME
from client.terminal.encoding import can_show, spell_what_is_missing


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("ascii", "┌─┬┐│▶ ● · Jürgen ▁█ „so“", b'+-++|> * . Jurgen _# "so"'),
        ("latin-1", "Jürgen · ▶ ─", b"J\xfcrgen \xb7 > -"),
        ("ascii", "日本 🐱 ½", b"???? ?? 1"),
        ("utf-8", "▶ 日本", "▶ 日本".encode()),
    ],
)
def test_what_is_missing_is_spelled_in_as_many_columns(
    monkeypatch: pytest.MonkeyPatch, encoding: str, text: str, written: bytes
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    buffer = BytesIO()
    stream = TextIOWrapper(buffer, encoding=encoding)
    spell_what_is_missing(stream)
    stream.write(text)
    stream.flush()
    assert buffer.getvalue() == written
    assert width(written.decode(encoding)) == width(text)


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [("ascii", FRAME, False), ("latin-1", FRAME, False), ("latin-1", "ü·", True), ("utf-8", FRAME, True)],
)
def test_what_a_terminal_can_show(monkeypatch: pytest.MonkeyPatch, encoding: str, text: str, shown: bool) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    monkeypatch.setattr(sys, "__stderr__", TextIOWrapper(BytesIO(), encoding=encoding))
    assert can_show(text) is shown


@pytest.mark.parametrize(("variables", "shown"), [({"LC_ALL": "C"}, False), ({"LC_ALL": "C", "PYTHONUTF8": "1"}, True)])
def test_the_locale_of_computers_is_ascii_though_python_writes_utf8(variables: dict[str, str], shown: bool) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    code = "from client.terminal.encoding import can_show; print(can_show('\u2500'))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=kept | variables, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(shown)
