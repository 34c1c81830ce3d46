"""Where a cluster is, and what is said of an address without one."""

from __future__ import annotations

import sys

import pytest

from server.workers.cluster.address import CannotPlayThere, checked, processes, silent
from tests.support import optional

optional.module("distributed")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://cluster:8786", "local:1", "local:1024"])
def test_an_address_stays_as_it_is(address: str) -> None:
    assert checked(address) == address


def test_only_a_local_cluster_has_a_number_of_processes() -> None:
    assert processes("local:3") == 3
    assert processes("tcp://127.0.0.1:8786") is None


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("local:0", "write local:N with N from 1 to 1024"),
        ("local:1025", "write local:N with N from 1 to 1024"),
        ("local:two", "write local:N with N from 1 to 1024"),
        ("local", "write local:N with N from 1 to 1024"),
        ("http://127.0.0.1:8786", "write tcp://HOST:PORT, tls://HOST:PORT or local:N"),
        ("tcp:127.0.0.1:8786", "write tcp://HOST:PORT, tls://HOST:PORT or local:N"),
    ],
)
def test_an_address_of_no_cluster(address: str, sentence: str) -> None:
    with pytest.raises(CannotPlayThere, match=sentence):
        checked(address)


def test_no_process_is_counted_in_an_address_of_no_cluster() -> None:
    with pytest.raises(CannotPlayThere, match="write local:N"):
        processes("local:0")


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CannotPlayThere, match="install noughts with its extra cluster"):
        checked("local:1")


def test_the_reason_of_a_silent_scheduler_is_one_line() -> None:
    error = OSError("Timed out.\nand more")
    assert silent("tcp://there:1", error) == "No Dask scheduler answers at tcp://there:1: Timed out."
    assert silent("tcp://there:1", TimeoutError()) == "No Dask scheduler answers at tcp://there:1: no answer."
