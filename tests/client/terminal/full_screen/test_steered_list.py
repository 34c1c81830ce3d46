"""A list that the keys of the line steer."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets.option_list import Option

from client.terminal.full_screen.steered_list import SteeredList


class Lists(App[None]):
    def compose(self) -> ComposeResult:
        yield SteeredList(id="list")


async def test_what_is_highlighted_stays_so_while_it_is_there() -> None:
    app = Lists()
    async with app.run_test():
        steered = app.query_one(SteeredList)
        assert steered.chosen == ""
        steered.refill([Option("title", disabled=True), Option("a", id="a"), Option("b", id="b")])
        assert steered.chosen == "a"
        steered.steer("down")
        assert steered.chosen == "b"
        steered.refill([Option("b", id="b"), Option("c", id="c")])
        assert steered.chosen == "b"
        steered.steer("last")
        steered.refill([Option("title", disabled=True), Option("d", id="d")])
        assert steered.chosen == "d"
        steered.refill([Option("f", id="f")], is_news=True)
        assert steered.chosen == "", "nobody has chosen this one"
        steered.refill([Option("f", id="f"), Option("g", id="g")], is_news=True)
        assert steered.chosen == ""
        steered.steer("down")
        assert steered.chosen == "f"
        steered.refill([Option("g", id="g")])
        assert steered.chosen == "g", "of another question the first"
        steered.refill([Option("title", id="e", disabled=True)])
        assert steered.chosen == ""
