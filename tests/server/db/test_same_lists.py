"""Lists of a ladder found again."""

from __future__ import annotations

from server.db.same_lists import ListName, matched


def pairs(before: str, after: str) -> list[str]:
    """Lists as `NAME/DIGEST`, whose names are the first part."""

    def name(run: str) -> ListName:
        return ListName(run, run.partition("/")[0])

    return [f"{one}>{other}" for one, other in matched(before.split(), after.split(), name)]


def test_the_same_run_is_the_same_list() -> None:
    assert pairs("a/1 b/1", "b/1 a/1 c/1") == ["b/1>b/1", "a/1>a/1"]
    assert pairs("a/1 a/2", "a/1 a/2") == ["a/1>a/1", "a/2>a/2"]


def test_other_settings_under_its_name_make_the_same_list() -> None:
    assert pairs("a/1 b/1", "a/2 b/1") == ["a/1>a/2", "b/1>b/1"]


def test_the_last_of_a_name_counts_and_only_once() -> None:
    assert pairs("a/1 a/2", "a/3") == ["a/2>a/3"]
    assert pairs("a/1", "a/2 a/3") == ["a/1>a/2"]
    assert pairs("a/1", "a/2 a/1") == ["a/1>a/1"], "its own run comes before its name"
    assert pairs("", "a/1") == pairs("a/1", "") == []
