"""Every parser takes its examples and what random changes make of them, and lets only the errors out that it declares.

`make fuzz` looks further, with inputs that coverage guides.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.parsers import PARSERS, Parser, words
from tests.support.examples import examples

EXAMPLES = {name: parser.examples() for name, parser in PARSERS.items()}
WORDS = {name: sorted(words(parser)) for name, parser in PARSERS.items()}


def changed(data: bytes, edits: list[tuple[float, float, bytes]]) -> bytes:
    """Parts of it, from and to the given shares of its length, give way to other bytes."""
    for start, end, new in edits:
        first, last = sorted((round(start * len(data)), round(end * len(data))))
        data = data[:first] + new + data[last:]
    return data


@pytest.mark.parametrize("name", PARSERS)
def test_examples_are_read(name: str) -> None:
    for data in EXAMPLES[name]:
        PARSERS[name].read(data)


@pytest.mark.parametrize("name", PARSERS)
@examples(60)
@given(data=st.data())
def test_changes_raise_nothing_else(name: str, data: st.DataObject) -> None:
    parser: Parser = PARSERS[name]
    share = st.floats(0, 1)
    piece = (
        st.binary(max_size=9)
        | st.sampled_from(WORDS[name])
        | st.sampled_from([b"[", b"{", b"9"]).map(lambda one: one * 2000)
    )
    edits = data.draw(st.lists(st.tuples(share, share, piece), max_size=4))
    made = changed(data.draw(st.sampled_from(EXAMPLES[name])), edits)
    parser.read(made if parser.seal is None else parser.seal(made))
