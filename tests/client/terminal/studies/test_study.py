"""What all studies share: they are begun once, work aside, and are left."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from client.sdk import NoughtsError
from client.terminal.drawing.boards import Look
from client.terminal.preferences import Preferences
from client.terminal.seating import BadChoice
from client.terminal.studies.study import Choice, Study, StudyContext, numbered

CHOICES = [Choice("replay 12", "a game"), Choice("b2", "a move")]
NOTHING: Any = None


class Counted(Study):
    """Cannot begin at first, and remembers what it told."""

    def __init__(self) -> None:
        super().__init__(NOTHING)
        self.begun = 0
        self.told: list[str] = []

    async def begin(self) -> None:
        self.begun += 1
        if self.begun == 1:
            raise NoughtsError("Not now.")

    def tell(self, sentence: str) -> None:
        self.told.append(sentence)


@pytest.fixture
def study() -> Counted:
    return Counted()


async def test_it_is_begun_until_it_has_been_once(study: Counted) -> None:
    with pytest.raises(NoughtsError, match="Not now"):
        await study.open()
    await study.open()
    await study.open()
    assert study.begun == 2


async def test_new_work_takes_the_place_of_old(study: Counted) -> None:
    done: list[str] = []

    async def work(name: str, until: asyncio.Event) -> None:
        await until.wait()
        done.append(name)

    never, now = asyncio.Event(), asyncio.Event()
    study.start(work("old", never))
    settling = asyncio.create_task(study.settled())
    await asyncio.sleep(0)
    study.start(work("new", now))
    await asyncio.sleep(0)
    assert not settling.done()
    now.set()
    never.set()
    await settling
    assert done == ["new"]


async def test_work_that_fails_is_told(study: Counted) -> None:
    async def fail() -> None:
        raise NoughtsError("The engine has stopped.")

    study.start(fail())
    await study.settled()
    assert study.told == ["The engine has stopped."]


async def test_work_ends_with_the_study(study: Counted) -> None:
    ended = asyncio.Event()

    async def go_on() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    study.start(go_on())
    await asyncio.sleep(0)
    await study.stop()
    assert ended.is_set()
    await study.stop()


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("1", "replay 12"),
        ("02", "b2"),
        ("b2", "b2"),
        ("", ""),
        ("-1", "-1"),
        ("²", "²"),
        ("1.1", "1.1"),
        ("123456", "123456"),
    ],
)
def test_a_number_means_the_choice_with_that_number(typed: str, word: str) -> None:
    assert numbered(CHOICES, typed) == word
    assert numbered([], typed) == typed


@pytest.mark.parametrize("typed", ["0", "3", "99999"])
def test_a_number_without_a_choice_is_refused(typed: str) -> None:
    with pytest.raises(BadChoice, match=r"The numbers go from 1 to 2\."):
        numbered(CHOICES, typed)


async def test_an_unknown_word_is_refused(study: Counted) -> None:
    with pytest.raises(BadChoice, match=f"^'{'x' * 20}' does nothing here"):
        await study.obey("x" * 1000)


@pytest.mark.parametrize(("looked_at", "asked"), [(False, [True, False]), (True, [True])])
async def test_the_lobby_goes_on_for_who_looks_at_it(looked_at: bool, asked: list[bool]) -> None:
    switched: list[bool] = []

    class Asked:
        lobby_changed = print if looked_at else None

        async def lobby(self, on: bool) -> str:
            switched.append(on)
            return f"lobby {on}"

    connection: Any = Asked()
    assert str(await StudyContext(connection, NOTHING, Look(), Preferences()).lobby()) == "lobby True"
    assert switched == asked
