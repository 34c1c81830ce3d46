"""What a server and its gateway to a cluster say to each other."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from server.workers.child import Done, Failed, Job, ReviewJob


class Ask(NamedTuple):
    """Search this."""

    number: int
    job: Job | ReviewJob


class Stop(NamedTuple):
    """The answer is no longer wanted."""

    number: int


class Seats(NamedTuple):
    """How many searches can run at a time."""

    total: int


class Report(NamedTuple):
    """How far a search is."""

    number: int
    nodes: int
    depth: int
    value: float
    pv: tuple[int, ...]


class Answer(NamedTuple):
    """A search is over; None where it was lost, and not where it was stopped."""

    number: int
    outcome: Done | Failed | None


class Said(NamedTuple):
    """A sentence for the log."""

    sentence: str


class Lost(NamedTuple):
    """There is no cluster; the gateway ends."""

    sentence: str


ToGateway: TypeAlias = Ask | Stop
FromGateway: TypeAlias = Seats | Report | Answer | Said | Lost
