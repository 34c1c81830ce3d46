"""Searches that wait for a worker: by priority, and within one in fair shares among the people who ask. Pure.

A share is worker time. Each person has a clock that advances by what their searches took; the one whose clock is
furthest behind is served next, as in start-time fair queueing (Goyal, Vin, Cheng, 1996). Whoever has asked for nothing
lately starts where those who wait are now: a newcomer is behind one running search at most, however many others wait,
and nobody saves up time.

Three bounds keep a few from filling the queue for all: on what waits in all, for one person and for one address, which
also gets no more of the queue than is left.
"""

from __future__ import annotations

import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Generic, TypeVar

from server.play.rate_limit import Refusal, share_of_address

Item = TypeVar("Item")

FORGET_AT = 1000
"""Above this many people, half that number are remembered of those who neither wait nor are served."""


class QueueFull(Exception):
    """No more searches may wait; the message says whose are too many, `limit` names the setting."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.limit = refusal.limit


@dataclass(frozen=True, slots=True)
class Owner:
    """The player for whom a search runs. The address is empty if that player is not connected."""

    person: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many searches may wait at once."""

    total: int
    person: int
    address: int


class SearchQueue(Generic[Item]):
    """`pop` serves, and `finish` says how much time that took; whatever is popped and not finished is being served.

    Items are hashable and wait once at a time.
    """

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._lines: dict[tuple[int, str], deque[tuple[int, Item]]] = {}
        """by priority and person, what waits with its number: in order of arrival, negative where it was put back"""
        self._owners: dict[Item, tuple[int, Owner]] = {}
        """owner and priority of what waits"""
        self._numbers = itertools.count()
        self._front = itertools.count(-1, -1)
        self._of_person: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()
        self._served: Counter[str] = Counter()
        """how many searches of a person are running"""
        self._clocks: dict[str, float] = {}
        self._now = 0.0
        """the clock of whoever was served last"""
        self._turns: dict[str, int] = {}
        """when a person was last served, as a number of searches; of two clocks that agree the older one goes first"""
        self._pops = 0

    def __len__(self) -> int:
        return len(self._owners)

    def __iter__(self) -> Iterator[Item]:
        """Iterates in the order in which they would be served now."""
        waiting = [(self._order(line, number), item) for line, items in self._lines.items() for number, item in items]
        return iter([item for _, item in sorted(waiting, key=itemgetter(0))])

    def __contains__(self, item: Item) -> bool:
        return item in self._owners

    def refusal(self, owner: Owner) -> Refusal | None:
        """Why a search of theirs may not wait now, None where it may."""
        if len(self) >= self._bounds.total:
            return Refusal("queue", "All bots are busy and their queue is full; try again in a moment.")
        if self._of_person[owner.person] >= self._bounds.person:
            waiting = f"{self._bounds.person} moves of your bots wait already"
            return Refusal("queue_person", f"{waiting}; try again once some are made.")
        free = self._bounds.total - len(self)
        share = share_of_address(free, self._bounds.person, self._bounds.address)
        if self._of_address[owner.address] >= share:
            waiting = f"{self._of_address[owner.address]} moves of bots wait for your address already"
            return Refusal("queue_address", f"{waiting}; try again in a moment.")
        return None

    def put(self, item: Item, priority: int, owner: Owner) -> None:
        """Lower priorities come first. Raises QueueFull."""
        refusal = self.refusal(owner)
        if refusal is not None:
            raise QueueFull(refusal)
        self._line(item, priority, owner).append((next(self._numbers), item))

    def put_back(self, item: Item, priority: int, owner: Owner) -> None:
        """Put it before all others of its owner and priority, without a bound: it has waited once already."""
        self._line(item, priority, owner).appendleft((next(self._front), item))

    def pop(self, ready: Callable[[Item], bool] = lambda item: True) -> Item | None:
        """The next to be served of those that are ready, None where there is none."""
        best: tuple[tuple[int, int, float, int, int], Item] | None = None
        for line, waiting in self._lines.items():
            if best is not None and line[0] > best[0][0]:
                continue
            first = next((one for one in waiting if ready(one[1])), None)
            if first is not None:
                order = self._order(line, first[0])
                if best is None or order < best[0]:
                    best = order, first[1]
        if best is None:
            return None
        item = best[1]
        person = self._owners[item][1].person
        self.remove(item)
        self._served[person] += 1
        self._now = max(self._now, self._clocks[person])
        self._pops += 1
        self._turns[person] = self._pops
        return item

    def finish(self, owner: Owner, took_ms: float) -> None:
        """A search of theirs that was popped is over."""
        self._served[owner.person] -= 1
        self._clocks[owner.person] += took_ms
        if len(self._clocks) > FORGET_AT:
            self._forget()

    def remove(self, item: Item) -> bool:
        """Whether it was waiting; it is not any more."""
        if item not in self._owners:
            return False
        priority, owner = self._owners.pop(item)
        line = self._lines[priority, owner.person]
        del line[next(place for place, (_, waiting) in enumerate(line) if waiting is item)]
        if not line:
            del self._lines[priority, owner.person]
        for counter, key in ((self._of_person, owner.person), (self._of_address, owner.address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
        return True

    def clear(self) -> None:
        """Nothing waits any more."""
        for item in list(self._owners):
            self.remove(item)

    def waiting(self, ready: Callable[[Item], bool], most: int) -> int:
        """How many that wait are ready; `most` where there are more."""
        return sum(1 for _ in itertools.islice(filter(ready, self._owners), most))

    def has(self, priority: int) -> bool:
        """Whether anything of this priority waits."""
        return any(line[0] == priority for line in self._lines)

    def _line(self, item: Item, priority: int, owner: Owner) -> deque[tuple[int, Item]]:
        person = owner.person
        if not self._of_person[person] and not self._served[person]:
            self._clocks[person] = max(self._clocks.get(person, 0.0), self._now)
        self._owners[item] = priority, owner
        self._of_person[person] += 1
        self._of_address[owner.address] += 1
        return self._lines.setdefault((priority, person), deque())

    def _order(self, line: tuple[int, str], number: int) -> tuple[int, int, float, int, int]:
        priority, person = line
        return priority, self._served[person], self._clocks[person], self._turns.get(person, 0), number

    def _forget(self) -> None:
        """Keep those who wait or are served and, of the others, those who have used most."""
        self._served = +self._served
        here = self._of_person.keys() | self._served.keys()
        gone = sorted(self._clocks.keys() - here, key=lambda person: self._clocks[person])
        for person in gone[: -FORGET_AT // 2]:
            del self._clocks[person]
            self._turns.pop(person, None)
