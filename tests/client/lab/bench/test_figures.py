"""Figures, as text and against their targets."""

from __future__ import annotations

from client.lab.bench.figures import Part, Table, figure, figure_at_least, lines, quantile


def test_a_target_is_met_by_the_median() -> None:
    assert figure("a", "ms", [1, 2, 9], target=2).met
    assert figure("a", "ms", [1, 3, 9], target=2).met is False
    assert figure("a", "ms", [1]).met is None


def test_text_tells_target_and_spread() -> None:
    part = Part(
        "moves", "cost", [figure("noughts", "µs", [90.04, 100, 120], 80)], [Table("t", ("a", "b"), [("1", "2")])]
    )
    assert lines(part) == [
        "moves: cost",
        "  noughts       100 µs     (90.0 to 120)  target: at most 80, missed",
        "",
        "  t",
        "  a  b",
        "  1  2",
    ]


def test_quantiles() -> None:
    assert quantile([1, 2, 3, 4], 0.5) == 3
    assert quantile([1], 0.99) == 1


def test_more_can_be_better() -> None:
    assert figure_at_least("a", "M/s", [1, 2, 9], target=2).met
    assert figure_at_least("a", "M/s", [1, 1.9, 9], target=2).met is False
    assert lines(Part("a", "b", [figure_at_least("c", "M/s", [3], 2)]))[1].endswith("target: at least 2, met")
