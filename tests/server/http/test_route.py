"""Lines of the table of routes: which of them a request finds, and what its query is read as."""

from __future__ import annotations

from typing import Annotated, ClassVar

import pytest
from msgspec import Meta

from server.db.ids import NUMBER_MAX
from server.http.message import Response, read_request
from server.http.parts import Parts
from server.http.responses import BadQuery
from server.http.route import Call, Number, Query, Route, Table, read_query


class Asked(Query):
    missing: ClassVar[str] = "Give a word, as in word=yes."

    word: str
    times: Annotated[Number, Meta(description="how often")] | None = None
    most: Number = 7


# Tables read the annotations of handlers; nobody asks these two.


async def plain(parts: Parts, call: Call[Query]) -> Response:
    raise NotImplementedError


async def asking(parts: Parts, call: Call[Asked]) -> list[str] | Response:
    raise NotImplementedError


ALL = Route("/all", plain, "All.")
ONE = Route("/all?word=", asking, "One.")
MANY = Route("/all?word=&times=", asking, "Many.")
BELOW = Route("/all/{id}", plain, "Below.")
LAST = Route("/all/{id}/last", plain, "The last.")
OWN = Route("/all/own/{file}", plain, "One's own.")
ALONE = Route("/alone?word=", asking, "Alone.")
TABLE = Table([ALL, ONE, MANY, BELOW, LAST, OWN, ALONE])


@pytest.mark.parametrize(
    ("target", "route", "name"),
    [
        ("/all", ALL, ""),
        ("/all?other=1", ALL, ""),
        ("/all?times=1", ALL, ""),
        ("/all?word=x", ONE, ""),
        ("/all?word=x&times=1", MANY, ""),
        ("/all/7", BELOW, "7"),
        ("/all/", BELOW, ""),
        ("/all/last", BELOW, "last"),
        ("/all/7/last", LAST, "7"),
        ("/all//last", LAST, ""),
        ("/all/7/last/last", LAST, "7/last"),
        ("/all/own", BELOW, "own"),
        ("/all/own/", OWN, ""),
        ("/all/own/x.txt", OWN, "x.txt"),
        ("/alone", ALONE, ""),
    ],
)
def test_a_request_finds_the_most_specific_route(target: str, route: Route, name: str) -> None:
    assert TABLE.find(read_request("GET", target)) == (route, name)


def test_a_route_answers_its_method_alone() -> None:
    post = Route("/all/{id}", plain, "Made.", method="POST")
    table = Table([BELOW, post])
    for method, route in (("GET", BELOW), ("HEAD", BELOW), ("POST", post)):
        assert table.find(read_request(method, "/all/7")) == (route, "7")
    assert table.find(read_request("DELETE", "/all/7")) is None
    assert table.methods(read_request("DELETE", "/all/7")) == ["GET", "HEAD", "POST"]
    assert table.methods(read_request("DELETE", "/other")) == ["GET", "HEAD"]
    assert (BELOW.name, post.name) == ("/all/{id}", "POST /all/{id}")


def test_a_less_specific_path_is_not_asked_instead() -> None:
    table = Table([BELOW, Route("/all/{id}/token", plain, "Made.", method="POST")])
    assert table.find(read_request("GET", "/all/7/token")) is None
    assert table.methods(read_request("GET", "/all/7/token")) == ["POST"]
    assert table.find(read_request("GET", "/all/7/other")) == (BELOW, "7/other")


@pytest.mark.parametrize("target", ["/", "/alone/", "/al", "/ALL", "all/7"])
def test_other_requests_find_none(target: str) -> None:
    assert TABLE.find(read_request("GET", target)) is None


def test_a_route_has_the_types_of_its_handler() -> None:
    assert (ALL.query, ALL.answer) == (Query, None)
    assert (ONE.query, ONE.answer) == (Asked, list[str])


def test_a_query_is_read() -> None:
    assert read_query(Asked, {"word": "yes", "times": "007", "other": "1"}) == Asked(word="yes", times=7, most=7)
    assert read_query(Asked, {"word": "1"}) == Asked(word="1", times=None, most=7)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({}, "Give a word, as in word=yes."),
        ({"word": "x", "times": "-1"}, "times must be a whole number, not '-1'."),
        ({"word": "x", "most": "9" * 50}, f"most must be at most {NUMBER_MAX}, not '{'9' * 40}'."),
        ({"word": "x", "times": "\u0661"}, "times must be a whole number, not '\u0661'."),
        ({"word": "x", "times": ""}, "times must be a whole number, not ''."),
    ],
)
def test_a_query_that_cannot_be_read(sent: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadQuery) as error:
        read_query(Asked, sent)
    assert str(error.value) == sentence


def test_a_handler_may_refuse_before_its_query_is_read() -> None:
    call = Call(read_request("GET", "/all?times=x"), "", Asked)
    with pytest.raises(BadQuery):
        _ = call.query
