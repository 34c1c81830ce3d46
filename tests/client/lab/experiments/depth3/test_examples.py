"""The example games of the experiment on depth3."""

from __future__ import annotations

from pathlib import Path

from client.lab.experiments import report
from client.lab.experiments.depth3 import examples as depth3_examples
from engine.bots.literature.depth3 import best_cells
from engine.bots.player import decide
from engine.bots.roster import bot
from engine.rules.position import X
from engine.rules.registry import rules

DOCS = Path(__file__).parents[5] / "docs"


def test_the_example_games_of_the_committed_page_are_played_again() -> None:
    """Both bots find each move anew; the forced replies, the fork and the draw are what the table says."""
    found = report.from_json((DOCS / "experiments/depth3.json").read_bytes())
    (table,) = next(section for section in found.sections if section.title == "Example games").tables
    assert [row[0] for row in table.rows] == ["threes up to a fork", "a draw against defensive"]
    for what, x, o, moves in (map(str, row) for row in table.rows):
        cells = [rules("qubic").parse_move(text) for text in moves.strip("`").split()]
        assert cells[0] in best_cells(rules("qubic").initial)
        position = rules("qubic").initial.play(cells[0])
        for cell in cells[1:]:
            name = (x if position.to_move == X else o).strip("`")
            assert decide(bot(name), position).move == cell
            position = position.play(cell)
        assert position.outcome is not None
        if what.startswith("a draw"):
            assert position.outcome.winner is None
        else:
            assert position.outcome.winner is not None
            assert depth3_examples.threes(cells) >= 3
            assert forced(cells, 3)


def forced(cells: list[int], threes: int) -> bool:
    """Whether the loser's last replies each block the one cell that would have won, and the last of them one of two."""
    lines = [set(line) for line in rules("qubic").lines]  # type: ignore[attr-defined]
    for back in range(threes):
        made = cells[: len(cells) - 2 - 2 * back]
        winner, loser = set(made[(len(made) + 1) % 2 :: 2]), set(made[len(made) % 2 :: 2])
        open_cells = {cell for line in lines if len(line & winner) == 3 for cell in line - winner - loser}
        if len(open_cells) < (2 if back == 0 else 1) or cells[len(made)] not in open_cells:
            return False
    return True
