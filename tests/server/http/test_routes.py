"""The table of routes, line by line."""

from __future__ import annotations

import re

import msgspec
import pytest

from server.http.message import read_request
from server.http.route import Route, Table
from server.http.routes import ROUTES
from tests.support.http.desk import HttpDesk

EACH = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)


@EACH
def test_every_route_is_found(route: Route) -> None:
    target = re.sub(r"{\w+}", "7", route.target).replace("=", "=1")
    found = Table(ROUTES).find(read_request(route.method, target))
    assert found is not None
    assert found[0] is route


@EACH
def test_every_route_says_what_it_is(route: Route) -> None:
    assert re.fullmatch(r"[A-Z][^\n]*\.", route.summary)
    assert route.cost >= 1
    fields = msgspec.structs.fields(route.query)
    assert route.given <= {field.name for field in fields}
    assert route.query.missing or {field.name for field in fields if field.required} <= route.given


async def test_an_answer_is_kept_as_long_as_its_route_says(desk: HttpDesk) -> None:
    kept = {route.target: route.keep_s for route in ROUTES if route.keep_s}
    assert kept.keys() == {"/api/rules", "/api/rules?game=", "/api/bots?game="}
    for target, keep_s in kept.items():
        response = await desk.ask(target.replace("=", "=qubic"))
        assert response.headers["Cache-Control"] == f"public, max-age={keep_s}"
    refused = await desk.ask("/api/rules?game=nothing")
    assert (refused.status, refused.headers["Cache-Control"]) == (400, "no-store")


def test_a_request_costs_what_its_route_says(desk: HttpDesk) -> None:
    costs = {route.target: route.cost for route in ROUTES}
    assert desk.api.cost(read_request("GET", "/api/rules?game=mnk:19,19,5")) == costs["/api/rules?game="] > 1
    assert desk.api.cost(read_request("GET", "/api/games/17.txt")) == costs["/api/games/{id}"]
    assert desk.api.cost(read_request("GET", "/nowhere")) == 1
    assert desk.api.cost(read_request("POST", "/")) == 1
