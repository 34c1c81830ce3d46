"""`noughts bench cube`, and a part of `bench page`: frames a second of the page's cube while somebody turns it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from client.lab.bench.figures import Figure, Part, figure, figure_at_least
from client.lab.bench.machine import cpu_s
from client.lab.bench.output import part_as_json, print_part, repeat_option
from client.lab.bench.page.browser import PLAY, chromium, start
from client.lab.bench.processes import noughts
from client.lab.bench.wire import BenchError
from engine.rules.registry import rules
from server.console.examples import examples
from server.console.finite import FiniteRange

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEAST_FPS: Final = 50.0
LATE_MS: Final = 20.0
"""A frame that takes longer is one that a screen of 60 Hz shows late, or misses one."""


class Screen(Struct, frozen=True):
    width: int
    height: int
    slowed: int = 1
    """how many times slower the page's thread is made"""


SCREENS: Final = {
    "desktop": Screen(1280, 800),
    "phone": Screen(390, 844),
    "phone, slowed 4 times": Screen(390, 844, slowed=4),
}

_DRAG: Final = """(seconds) => new Promise((done) => {
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
_KEYS: Final = """(seconds) => new Promise((done) => {
    const cell = document.querySelector('.cube-cell[tabindex="0"]');
    const held = { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true };
    const frames = [];
    const frame = (now) => {
        frames.push(now);
        if (now - frames[0] >= 1000 * seconds) { done(frames); return; }
        if (frames.length % 2) cell.dispatchEvent(new KeyboardEvent('keydown', held));
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
})"""
"""Shift and an arrow held down: a key that is held repeats about 30 times a second."""
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
    late: float
    """percent of the frames that took longer than LATE_MS"""
    cpu_ms: float
    """processor time of all of the browser's processes, a frame"""


@click.command("cube", epilog=examples("noughts bench cube --game cube:5"))
@click.option(
    "--game",
    type=click.Choice(["cube:3", "qubic", "cube:5"]),
    default="qubic",
    show_default=True,
    help="The cube to turn.",
)
@click.option(
    "--seconds", type=FiniteRange(0.1, 60), default=2.0, show_default=True, help="Length of each measurement."
)
@repeat_option(3)
@part_as_json
def cube(game: str, seconds: float, repeat: int, as_json: bool) -> None:
    """Turn the page's cube in a headless Chromium, by hand and by a held key, and count its frames.

    The control, in turn with them, turns a small empty square on the same page. Needs Chromium, and Playwright for
    Python.
    """
    print_part(lambda folder: measure(folder, game, seconds, repeat), as_json)


def measure(folder: Path, game: str, seconds: float, repeat: int) -> Part:
    with chromium() as browser, noughts(folder) as server:
        found = figures(browser, f"http://127.0.0.1:{server.port}", game, seconds, repeat)
    return Part("cube", f"{game} with {_marks(game)} marks, turned for {seconds:g} s in headless Chromium", found)


def figures(browser: Browser, url: str, game: str, seconds: float, repeat: int) -> list[Figure]:
    """Frames a second on each screen, of the control too; only a machine at its own speed has a target."""
    found = []
    for name, screen in SCREENS.items():
        page = _table(browser, url, game, screen)
        runs = [[_run(page, script, seconds) for script in (_CONTROL, _DRAG, _KEYS)] for _ in range(repeat)]
        control, drag, keys = zip(*runs, strict=True)
        found.append(figure(f"cube, {name}: control", "frames/s", [run.fps for run in control]))
        for how, turned in (("by drag", drag), ("by keys", keys)):
            fps = [run.fps for run in turned]
            told = f"cube, {name}: {how}"
            found.append(
                figure_at_least(told, "frames/s", fps, LEAST_FPS)
                if screen.slowed == 1
                else figure(told, "frames/s", fps)
            )
        late = f"frames longer than {LATE_MS:g} ms"
        found += [
            figure(f"cube, {name}: {late}, control", "%", [run.late for run in control]),
            figure(f"cube, {name}: {late}, by drag", "%", [run.late for run in drag]),
            figure(f"cube, {name}: {late}, by keys", "%", [run.late for run in keys]),
            figure(f"cube, {name}: longest frame by drag", "ms", [run.longest_ms for run in drag]),
            figure(f"cube, {name}: processor time a frame, control", "ms", [run.cpu_ms for run in control]),
            figure(f"cube, {name}: processor time a frame by drag", "ms", [run.cpu_ms for run in drag]),
        ]
        page.context.close()
    return found


def _table(browser: Browser, url: str, game: str, screen: Screen) -> Page:
    """A game on one screen in its middle, shown as a cube alone."""
    page = browser.new_context(viewport={"width": screen.width, "height": screen.height}).new_page()
    page.add_init_script("""localStorage.setItem('noughts.looks', '{"view": "cube", "threats": true}')""")
    start(page, url, game, "self")
    for ply, move in enumerate(_moves(game)):
        page.locator(f'.room[data-plies="{ply}"]').wait_for()
        page.evaluate(PLAY, move)
    page.locator(f'.room[data-plies="{_marks(game)}"]').wait_for()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": screen.slowed})
    return page


def _marks(game: str) -> int:
    """Marks on a cube in the middle of a game."""
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
    before = _used_s(_browsers(os.getpid()))
    frames: list[float] = page.evaluate(script, seconds)
    used = sum(after - before[pid] for pid, after in _used_s(before).items())
    gaps = [later - sooner for sooner, later in pairwise(frames)]
    late = 100 * sum(gap > LATE_MS for gap in gaps) / len(gaps)
    return Turned(1000 * len(gaps) / (frames[-1] - frames[0]), max(gaps), late, 1000 * used / len(gaps))


def _used_s(processes: Iterable[int]) -> dict[int, float]:
    """Processor time of each; one that has ended is left out."""
    used = {}
    for pid in processes:
        with suppress(OSError):
            used[pid] = cpu_s(pid)
    return used


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
