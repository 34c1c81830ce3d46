"""TOML as a Struct: what is read, and what is said of the rest."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Struct

from server.typed_toml import TomlError, convert, takes, whole


class Inner(Struct, forbid_unknown_fields=True):
    pairs: Annotated[int, whole(1, 9)] = 1
    name: Annotated[str, takes("a word", pattern=r"\A[a-z]+\Z")] | None = None
    again: bool = False


class Outer(Struct, forbid_unknown_fields=True):
    title: str
    lists: list[Inner] = []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title = ", "This is not valid TOML: Invalid value (at end of document)."),
        ("title = " + "[" * 100_000, "A number is too long, or brackets are nested too deeply."),
        ("pairs = 1", "In the file, there is no setting 'pairs': write one of lists, title."),
        ("tilte = 'a'", "In the file, there is no setting 'tilte' (did you mean title?): write one of lists, title."),
        ('"` - at `$.b" = 1', "In the file, there is no setting '` - at `$.b': write one of lists, title."),
        ("", "In the file, title is missing: it must be text."),
        ("title = 1.5", "title must be text, not '1.5'."),
        ("title = 'a'\nlists = [{}, {pair = 2}]",
         "In lists[1], there is no setting 'pair' (did you mean pairs?): write one of again, name, pairs."),
        ("title = 'a'\nlists = [{}, {pairs = 0}]", "lists[1].pairs must be a whole number from 1 to 9, not '0'."),
        ("title = 'a'\nlists = [{name = 'A'}]", "lists[0].name must be a word, not 'A'."),
        ("title = 'a'\nlists = [{again = 'no'}]", "lists[0].again must be true or false, not 'no'."),
        ("title = 'a'\nlists = [[1, 2]]", "lists[0] must be a table, not a list of 2."),
        ("title = 0x" + "f" * 5_000, "title must be text, not a number of thousands of digits."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TomlError) as raised:
        convert(text, Outer)
    assert str(raised.value) == sentence


def test_what_is_left_out_has_its_default() -> None:
    assert convert("title = 'a'\n[[lists]]\npairs = 9\n[[lists]]", Outer) == Outer("a", [Inner(pairs=9), Inner()])


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert convert("\ufefftitle = 'a'", Outer) == Outer("a")
