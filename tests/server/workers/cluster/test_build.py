"""What tells whether two processes play the same."""

from __future__ import annotations

from dataclasses import replace

from server.workers.cluster.build import build, wrong


def test_a_build_is_the_engine_its_books_python_and_numba() -> None:
    assert build() == build()
    assert len(build().engine) == 12
    assert str(build()).startswith(f"engine {build().engine}, Python 3.")


def test_what_is_wrong_with_a_worker_is_said_with_both_builds() -> None:
    assert wrong("tcp://there", build()) is None
    other = replace(build(), python="3.9")
    refused = wrong("tcp://there", other)
    assert refused is not None
    assert refused.sentence == f"Worker tcp://there is not used: it has {other}, and this is {build()}."
    stranger = wrong("tcp://there", ImportError("no module named server"))
    assert stranger is not None
    assert "it has no noughts like this one" in stranger.sentence
