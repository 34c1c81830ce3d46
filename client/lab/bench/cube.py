"""`noughts bench cube`: how many frames a second the page's cube is drawn at while somebody turns it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from client.lab.bench.browser import PLAY, chromium, start
from client.lab.bench.figures import Part, figure, figure_at_least
from client.lab.bench.machine import cpu_s
from client.lab.bench.output import json_option, print_part, repeat_option
from client.lab.bench.processes import noughts
from client.lab.bench.wire import BenchError
from engine.rules.registry import rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEAST_FPS: Final = 50.0
SIZES: Final = {"desktop": (1440, 900), "phone": (360, 740)}

_TURN: Final = """(seconds) => new Promise((done) => {
    const stage = document.querySelector('.cube-stage');
    const box = stage.getBoundingClientRect();
    const hand = (type, x, y) => stage.dispatchEvent(new PointerEvent(type, {
        clientX: box.x + x, clientY: box.y + y, isPrimary: true, button: 0, pointerType: 'mouse', bubbles: true }));
    hand('pointerdown', 100, 100);
    const frames = [];
    const frame = (now) => {
        frames.push(now);
        if (now - frames[0] >= 1000 * seconds) { hand('pointerup', 0, 0); done(frames); return; }
        hand('pointermove', 100 + 3 * frames.length, 100 + 60 * Math.sin(frames.length / 20));
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
})"""
"""A hand that moves three pixels a frame and up and down; answers when each frame began, in ms."""
_CONTROL: Final = """(seconds) => new Promise((done) => {
    const square = document.createElement('div');
    square.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 40px; height: 40px; background: red';
    document.body.append(square);
    const frames = [];
    const frame = (now) => {
        frames.push(now);
        if (now - frames[0] >= 1000 * seconds) { square.remove(); done(frames); return; }
        square.style.transform = `rotate(${frames.length}deg)`;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
})"""
"""The same page while a small square turns and the cube stands still: what the machine has to give."""


class Turned(Struct, frozen=True):
    """The frames of one measurement."""

    fps: float
    longest_ms: float
    cpu_ms: float
    """processor time of all of the browser's processes, a frame"""


@click.command("cube")
@click.option("--game", type=click.Choice(["cube:3", "qubic", "cube:5"]), default="qubic", show_default=True)
@click.option(
    "--seconds", type=click.FloatRange(0.1, 60), default=3.0, show_default=True, help="Length of each measurement."
)
@repeat_option(3)
@json_option
def cube(game: str, seconds: float, repeat: int, as_json: bool) -> None:
    """Turn the page's cube in a headless Chromium and count its frames.

    The control, in turn with it, turns a small square on the same page. Needs Chromium, and Playwright for Python.
    """
    print_part(lambda folder: measure(folder, game, seconds, repeat), as_json)


def measure(folder: Path, game: str, seconds: float, repeat: int) -> Part:
    figures = []
    with chromium() as browser, noughts(folder) as server:
        for name, size in SIZES.items():
            page = _table(browser, f"http://127.0.0.1:{server.port}", game, size)
            runs = [(_run(page, _CONTROL, seconds), _run(page, _TURN, seconds)) for _ in range(repeat)]
            controls, turned = zip(*runs, strict=True)
            figures += [
                figure(f"{name}: control", "frames/s", [run.fps for run in controls]),
                figure_at_least(f"{name}: the cube turns", "frames/s", [run.fps for run in turned], LEAST_FPS),
                figure(f"{name}: its longest frame", "ms", [run.longest_ms for run in turned]),
                figure(f"{name}: processor time a frame, control", "ms", [run.cpu_ms for run in controls]),
                figure(f"{name}: processor time a frame", "ms", [run.cpu_ms for run in turned]),
            ]
            page.context.close()
    return Part("cube", f"{game} with {_marks(game)} marks, turned for {seconds:g} s in headless Chromium", figures)


def _table(browser: Browser, url: str, game: str, size: tuple[int, int]) -> Page:
    """A game on one screen in its middle, shown as a cube alone."""
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.add_init_script("""localStorage.setItem('noughts.looks', '{"view": "cube", "threats": true}')""")
    start(page, url, game, "self")
    for ply, move in enumerate(_moves(game)):
        page.locator(f'.room[data-plies="{ply}"]').wait_for()
        page.evaluate(PLAY, move)
    page.locator(f'.room[data-plies="{_marks(game)}"]').wait_for()
    return page


def _marks(game: str) -> int:
    """On a cube in the middle of a game."""
    return 3 * rules(game).cells // 8


def _moves(game: str) -> list[str]:
    """A game that is still running after this many moves."""
    played = rules(game)
    for seed in range(10_000):
        random, position = Random(seed), played.initial
        moves: list[int] = []
        while position.outcome is None and len(moves) < _marks(game):
            moves.append(random.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if position.outcome is None:
            return [played.format_move(move) for move in moves]
    raise BenchError(f"No game of {game} lasts {_marks(game)} moves.")


def _run(page: Page, script: str, seconds: float) -> Turned:
    browsers = list(_browsers(os.getpid()))
    before = sum(map(cpu_s, browsers))
    frames: list[float] = page.evaluate(script, seconds)
    used = sum(map(cpu_s, browsers)) - before
    gaps = [later - sooner for sooner, later in pairwise(frames)]
    return Turned(1000 * len(gaps) / (frames[-1] - frames[0]), max(gaps), 1000 * used / len(gaps))


def _browsers(parent: int) -> Iterator[int]:
    """The processes below one that are the browser's."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue  # it has ended meanwhile
        if int(rest.split()[1]) == parent:
            if "chrom" in name:
                yield int(folder.name)
            yield from _browsers(int(folder.name))
