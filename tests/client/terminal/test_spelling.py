"""Text for terminals of other encodings."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper

import pytest

from client.sdk.text import width
from client.terminal.spelling import spell_what_is_missing


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("ascii", "┌─┬┐│▶ ● · Jürgen ▁█ „so“", b'+-++|> * . Jurgen _# "so"'),
        ("latin-1", "Jürgen · ▶ ─", b"J\xfcrgen \xb7 > -"),
        ("ascii", "日本 🐱 ½", b"???? ?? 1"),
        ("utf-8", "▶ 日本", "▶ 日本".encode()),
    ],
)
def test_what_is_missing_is_spelled_in_as_many_columns(encoding: str, text: str, written: bytes) -> None:
    buffer = BytesIO()
    stream = TextIOWrapper(buffer, encoding=encoding)
    spell_what_is_missing(stream)
    stream.write(text)
    stream.flush()
    assert buffer.getvalue() == written
    assert width(written.decode(encoding)) == width(text)
