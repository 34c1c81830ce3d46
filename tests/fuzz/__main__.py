"""`make fuzz`: gives every parser inputs that reach ever more of its code, and tells which errors escape.

What reached something new is kept in build/fuzz and begins the next run; an input that was not met is kept there too.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from tests.fuzz.parsers import PARSERS, words

FOLDER: Final = Path("build/fuzz")
_LONGEST_BYTES: Final = 4096
_SLOW_S: Final = 20
_COVERAGE: Final = re.compile(r"^#(\d+)\s.*?cov: (\d+)", re.MULTILINE)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*PARSERS]))
@click.option("--inputs", type=click.IntRange(min=1), default=100_000, show_default=True, help="For each parser.")
@click.option("--seed", type=click.IntRange(min=1), default=1, show_default=True)
def fuzz(names: Sequence[str], inputs: int, seed: int) -> None:
    """Fuzz the parsers NAMES, by default all."""
    failed = [name for name in names or PARSERS if not _holds(name, inputs, seed)]
    if failed:
        raise click.ClickException(f"errors escaped from {', '.join(failed)}.")


def _holds(name: str, inputs: int, seed: int) -> bool:
    corpus = FOLDER / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(PARSERS[name].examples()):
        (corpus / f"example-{number}").write_bytes(example)
    (FOLDER / f"{name}.words").write_text("".join(f'"{word.decode()}"\n' for word in sorted(words(PARSERS[name]))))
    options = {
        "runs": inputs,
        "seed": seed,
        "dict": FOLDER / f"{name}.words",
        "max_len": _LONGEST_BYTES,
        "timeout": _SLOW_S,
        "artifact_prefix": f"{FOLDER}/{name}-",
    }
    told = [f"-{option}={value}" for option, value in options.items()]
    command = [sys.executable, "-m", "tests.fuzz.one", name, str(corpus), *told]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    seen = _COVERAGE.findall(done.stderr)
    made, covered = seen[-1] if seen else ("0", "0")
    click.echo(
        f"{name}: {int(made):,} inputs, {int(covered):,} places reached{'' if done.returncode == 0 else '; FAILED'}"
    )
    if done.returncode:
        click.echo(done.stdout[-3000:] + done.stderr[-3000:])
    return done.returncode == 0


if __name__ == "__main__":
    fuzz()
