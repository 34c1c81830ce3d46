"""A study in lines: what is printed when, and where words lead."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from client.sdk import NoughtsError
from client.terminal.drawing.boards import Look
from client.terminal.plain.study_lines import go_through
from client.terminal.preferences import Preferences
from client.terminal.seating import JoinRoom, Seating
from client.terminal.studies.study import Choice, Next, Study, StudyContext
from client.terminal.typed.exits import Exit
from tests.support.terminal.plain_table import Typed

NOTHING: Any = None
CONTEXT = StudyContext(NOTHING, NOTHING, Look(), Preferences())
SEAT = JoinRoom(room="r1")


class Counter(Study):
    """Counts, offers to count on, and opens another of its kind."""

    title = "A counter"

    def __init__(self, count: int = 0) -> None:
        super().__init__(CONTEXT)
        self.count = count
        self.stopped = False

    def sentences(self) -> list[str]:
        return [f"{self.count} so far."]

    def choices(self) -> list[Choice]:
        return [Choice("on", "count on"), *([Choice("off", "nothing more")] if self.count > 1 else [])]

    def help_rows(self) -> list[tuple[str, str]]:
        return [("on", "counts on")]

    async def obey(self, typed: str) -> Next:
        match typed:
            case "on":
                self.count += 1
            case "another":
                return Counter(10)
            case "sit":
                return SEAT
            case "later":
                self.start(self._later())
            case "fail":
                raise NoughtsError("The engine is gone.")
            case _:
                return await super().obey(typed)
        return None

    async def _later(self) -> None:
        self.count += 100
        self.changed()

    async def stop(self) -> None:
        await super().stop()
        self.stopped = True


async def told(*lines: str | None, study: Study | None = None) -> tuple[list[str], Seating | Exit]:
    said: list[str] = []
    after = await go_through(study or Counter(), Typed(*lines), said.append, CONTEXT)
    return said, after


async def test_only_what_has_changed_is_printed_again() -> None:
    said, after = await told("on", "", "ON", "on", "board", None)
    assert after is Exit.QUIT
    assert said == [
        "A counter",
        "0 so far.\n  1  count on",
        "1 so far.",
        "'ON' does nothing here; help lists what does.",
        "2 so far.\n  1  count on\n  2  nothing more",
        "2 so far.\n  1  count on\n  2  nothing more",
    ]


async def test_a_number_chooses_and_a_wrong_one_is_told() -> None:
    said, _ = await told("1", "7", "/on", "2", None)
    assert said[2:] == [
        "1 so far.",
        "The numbers go from 1 to 1.",
        "2 so far.\n  1  count on\n  2  nothing more",
        "'off' does nothing here; help lists what does.",
    ]


async def test_an_error_on_a_typed_word_is_a_sentence_and_the_study_goes_on() -> None:
    said, after = await told("fail", "on", None)
    assert said[2:] == ["The engine is gone.", "1 so far."]
    assert after is Exit.QUIT


async def test_news_is_printed_while_a_line_is_waited_for() -> None:
    typed, study, said = Typed(), Counter(), asyncio.Queue[str]()
    going = asyncio.create_task(go_through(study, typed, said.put_nowait, CONTEXT))
    assert [await said.get() for _ in range(2)] == ["A counter", "0 so far.\n  1  count on"]
    study.count = 1
    study.changed()
    assert await said.get() == "1 so far."
    study.count = 0
    typed.type("another", "back")
    assert [await said.get() for _ in range(2)] == ["A counter", "10 so far.\n  1  count on\n  2  nothing more"]
    assert await said.get() == "0 so far.\n  1  count on", "all of it, as one comes back to it"
    study.count = 7
    study.changed()
    assert await said.get() == "7 so far.\n  1  count on\n  2  nothing more"
    study.changed()
    typed.type("later", None)
    assert await said.get() == "107 so far."
    assert await going is Exit.QUIT
    assert study.stopped


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        (("back",), Exit.BACK),
        (("/quit",), Exit.QUIT),
        ((None,), Exit.QUIT),
        (("sit",), SEAT),
        (("another", "back", "another", "quit"), Exit.QUIT),
        (("another", "sit"), SEAT),
    ],
)
async def test_where_it_is_left_to(lines: tuple[str | None, ...], after: Seating | Exit) -> None:
    study = Counter()
    assert (await told(*lines, study=study))[1] == after
    assert study.stopped


async def test_help_tells_the_words_of_the_study_and_those_of_all() -> None:
    said, _ = await told("?", None)
    assert said[-1].splitlines()[0] == "on              counts on"
    assert len(said[-1].splitlines()) == 3


async def test_one_that_cannot_begin_is_a_sentence() -> None:
    class Closed(Counter):
        async def begin(self) -> None:
            raise NoughtsError("Not today.")

    study = Closed()
    assert await told("on", study=study) == (["Not today."], Exit.BACK)
    assert study.stopped
