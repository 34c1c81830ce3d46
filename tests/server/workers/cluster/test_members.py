"""Which workers of a Dask cluster may be used, and when there are none any more."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import pytest

from server.workers.cluster import build as builds
from server.workers.cluster import members
from server.workers.cluster.address import CannotPlayThere
from server.workers.cluster.build import WrongBuild, build
from server.workers.cluster.members import Members
from tests.support import optional
from tests.support.workers.dask_cluster import certificates, two_threads

dask = optional.module("dask")


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with two_threads(monkeypatch) as one:
        yield one


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "tcp://127.0.0.1:x"])
def test_a_scheduler_that_is_not_there(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "CONNECT_S", 0.2)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with pytest.raises(CannotPlayThere, match=f"No Dask scheduler answers at {address}: "):
        Members(address, print)


@pytest.mark.parametrize("part", ["ca-file", "client.cert"])
def test_tls_needs_certificates(part: str) -> None:
    with (
        dask.config.set(certificates() | {f"distributed.comm.tls.{part}": None}),
        pytest.raises(CannotPlayThere, match="at tls://there:1: name certificates in Dask's configuration"),
    ):
        Members("tls://there:1", print)


@pytest.mark.usefixtures("threads")
def test_workers_of_another_build_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    main = threading.main_thread()
    here = version("numba")
    monkeypatch.setattr(builds, "version", lambda name: here if threading.current_thread() is main else "0.0")
    said: list[str] = []
    with pytest.raises(CannotPlayThere, match="No worker of the cluster can be used: each must have this noughts"):
        Members("any", said.append)
    assert len(said) == 2
    assert said[0].startswith("Worker inproc://")
    assert f"is not used: it has {replace(build(), numba='0.0')}, and this is {build()}." in said[0]


@pytest.mark.usefixtures("threads")
def test_one_that_is_refused_is_told_once_and_others_are_preferred() -> None:
    said: list[str] = []
    with closing(Members("any", said.append)) as there:
        assert (there.number, there.preference) == (2, {})
        out, kept = there.threads
        for _ in range(2):
            there.refuse(WrongBuild(out, "another"))
        assert len(said) == 1
        there.look()
        assert there.threads == {kept: 1}
        assert there.preference == {"workers": [kept], "allow_other_workers": True}


@pytest.mark.usefixtures("threads")
def test_a_cluster_is_there_until_it_ends_or_has_had_no_worker_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "WORKERS_S", 0.0)
    with closing(Members("any", print)) as there:
        there.client.retire_workers(sorted(there.threads))
        assert there.still_there(), "a worker may come back"
        assert there.number == 0
        monkeypatch.setattr(members, "ALONE_S", 0.0)
        assert not there.still_there()
        there.client.close()
        assert there.are_lost
        assert not there.still_there()
