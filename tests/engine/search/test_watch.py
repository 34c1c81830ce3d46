from engine.search.watch import NO_WATCH


def test_without_a_watch_time_stands_still() -> None:
    NO_WATCH.report(1, 1, 0.0, ())
    assert NO_WATCH.elapsed_ms() == 0
    assert not NO_WATCH.stopped()
