from __future__ import annotations

from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given

from server.workers.search_queue import FORGET_AT, Bounds, Owner, QueueFull, SearchQueue

ANN, BOB = Owner("ann", "a"), Owner("bob", "b")
WIDE = Bounds(total=10_000, person=10_000, address=10_000)


def served(queue: SearchQueue[str], took_ms: float = 10) -> list[str]:
    """What is served by one worker until nothing waits; items are named by their owner and a number."""
    names = []
    while (item := queue.pop()) is not None:
        names.append(item)
        queue.finish(Owner(item.split()[0]), took_ms)
    return names


def test_priority_goes_before_everything() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    queue.put("bob late", 2, BOB)
    queue.put("ann watched", 1, ANN)
    queue.put("ann waits", 0, ANN)
    assert queue.has(0)
    assert not queue.has(3)
    assert served(queue) == ["ann waits", "ann watched", "bob late"]


def test_it_counts_what_waits_and_could_be_served() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    for number, person in enumerate((ANN, BOB, ANN)):
        queue.put(f"{person.person} {number}", number, person)
    assert queue.waiting(lambda item: item.startswith("ann"), 10) == 2
    assert queue.waiting(lambda item: item.startswith("ann"), 1) == 1
    queue.pop()
    assert queue.waiting(lambda item: item.startswith("ann"), 10) == 1


def test_what_waits_is_listed_in_the_order_of_service() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    for number in range(2):
        queue.put(f"ann {number}", 1, ANN)
    queue.put("bob 0", 0, BOB)
    assert [*queue] == ["bob 0", "ann 0", "ann 1"]
    assert len(queue) == 3, "all of it still waits"


def test_people_take_turns_however_much_one_of_them_asks() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    for number in range(4):
        queue.put(f"ann {number}", 0, ANN)
    queue.put("bob 0", 0, BOB)
    queue.put("bob 1", 0, BOB)
    assert served(queue) == ["ann 0", "bob 0", "ann 1", "bob 1", "ann 2", "ann 3"]


def test_a_newcomer_waits_for_no_more_than_what_is_running() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    for guest in range(40):
        for number in range(5):
            queue.put(f"guest{guest} {number}", 0, Owner(f"guest{guest}", "far"))
    for _ in range(60):  # all of them have been served, some twice
        item = queue.pop()
        assert item is not None
        queue.finish(Owner(item.split()[0]), 30_000)
    running = queue.pop()
    queue.put("ann 0", 0, ANN)
    assert queue.pop() == "ann 0"
    assert running is not None


def test_who_is_being_served_lets_others_go_first() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    queue.put("ann 0", 0, ANN)
    assert queue.pop() == "ann 0"  # and is not finished
    queue.put("ann 1", 0, ANN)
    queue.put("bob 0", 0, BOB)
    assert queue.pop() == "bob 0"


def test_nobody_saves_up_time() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    queue.put("bob 0", 0, BOB)
    served(queue)
    for number in range(100):
        queue.put(f"ann {number}", 0, ANN)
        served(queue)
    for number in range(3):
        queue.put(f"bob {number}", 0, BOB)
        queue.put(f"ann {number}", 0, ANN)
    assert [name.split()[0] for name in served(queue)] == ["bob", "ann"] * 3


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        (Bounds(2, 10, 10), "queue is full"),
        (Bounds(10, 2, 10), "2 moves of your bots wait"),
        (Bounds(10, 10, 2), "2 moves of bots wait for your address"),
    ],
)
def test_each_bound_refuses_in_one_sentence_until_somebody_is_served(bounds: Bounds, reason: str) -> None:
    queue: SearchQueue[str] = SearchQueue(bounds)
    queue.put("ann 0", 0, ANN)
    queue.put("ann 1", 0, ANN)
    with pytest.raises(QueueFull, match=reason):
        queue.put("ann 2", 0, ANN)
    assert len(queue) == 2
    queue.pop()
    queue.put("ann 2", 0, ANN)


def test_bounds_of_one_person_and_address_leave_others_alone() -> None:
    queue: SearchQueue[str] = SearchQueue(Bounds(10, 1, 2))
    queue.put("ann 0", 0, ANN)
    assert queue.refusal(ANN) is not None
    queue.put("cid 0", 0, Owner("cid", "a"))
    assert queue.refusal(Owner("dan", "a")) is not None
    assert queue.refusal(BOB) is None


def test_what_is_put_back_goes_first_and_has_a_place_in_a_full_queue() -> None:
    queue: SearchQueue[str] = SearchQueue(Bounds(2, 2, 2))
    queue.put("ann 0", 0, ANN)
    queue.put("ann 1", 0, ANN)
    again = queue.pop()
    queue.put("ann 2", 0, ANN)
    queue.finish(ANN, 5)
    assert again == "ann 0"
    queue.put_back("ann 0", 0, ANN)
    assert served(queue) == ["ann 0", "ann 1", "ann 2"]


def test_what_is_removed_is_not_served() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    queue.put("ann 0", 0, ANN)
    queue.put("ann 1", 0, ANN)
    assert queue.remove("ann 0")
    assert not queue.remove("ann 0")
    assert "ann 1" in queue
    assert served(queue) == ["ann 1"]


def test_people_who_are_gone_are_forgotten() -> None:
    queue: SearchQueue[str] = SearchQueue(WIDE)
    for number in range(3 * FORGET_AT):
        owner = Owner(f"guest{number}")
        queue.put(f"guest{number} 0", 0, owner)
        queue.pop()
        queue.finish(owner, 1)
    assert len(queue._clocks) <= FORGET_AT + 1


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(1, 50)), min_size=1, max_size=60),
    st.integers(1, 3),
)
def test_shares_differ_by_no_more_than_one_search_while_all_wait(asked: list[tuple[int, int]], workers: int) -> None:
    """While two people both have a search waiting, what they were served differs by the longest search at most, and by
    one for each worker."""
    queue: SearchQueue[tuple[int, int, int]] = SearchQueue(WIDE)
    for number, (person, took_ms) in enumerate(asked):
        queue.put((number, person, took_ms), 0, Owner(str(person)))
    waits = Counter(person for person, _ in asked)
    used: Counter[int] = Counter()
    longest = max(took_ms for _, took_ms in asked)
    running: list[tuple[int, int, int]] = []
    while len(queue) or running:
        while len(running) < workers and (item := queue.pop()) is not None:
            running.append(item)
            waits[item[1]] -= 1
        _, person, took_ms = running.pop(0)
        queue.finish(Owner(str(person)), took_ms)
        used[person] += took_ms
        shares = [used[one] for one, waiting in waits.items() if waiting]
        if len(shares) > 1:
            assert max(shares) - min(shares) <= longest * (workers + 1)


def test_an_address_gets_no_more_of_the_queue_than_is_left() -> None:
    queue: SearchQueue[str] = SearchQueue(Bounds(total=30, person=4, address=30))
    for number in range(15):
        queue.put(f"crowd{number} 0", 0, Owner(f"crowd{number}", "far"))
    with pytest.raises(QueueFull, match="15 moves of bots wait for your address already"):
        queue.put("crowd15 0", 0, Owner("crowd15", "far"))
    queue.put("ann 0", 0, ANN)
