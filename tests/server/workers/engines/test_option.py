"""`--engines FILE`: whose bots the other options then know."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from server.console.arguments import ROSTER
from server.workers.engines.option import engines_option


@click.command
@engines_option
@click.pass_context
def told(context: click.Context) -> None:
    roster = context.meta.get(ROSTER)
    click.echo(roster.bot("mine").name if roster else "ours alone")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "engines.toml"
    path.write_text('[[engines]]\nname = "mine"\ncommand = "sh"\n')
    return path


def test_its_engines_are_known_in_the_command(file: Path) -> None:
    assert CliRunner().invoke(told, ["--engines", str(file)]).stdout == "mine\n"
    assert CliRunner().invoke(told).stdout == "ours alone\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[[engines]]", "In engines[0], name is missing"),
        (b"\xff", "is not text in UTF-8."),
        (b'[[engines]]\nname = "mine"\ncommand = "./mine"\n', "there is no program './mine' in"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_but_to_no_shell_that_completes(
    file: Path, content: bytes, sentence: str
) -> None:
    file.write_bytes(content)
    done = CliRunner().invoke(told, ["--engines", str(file)])
    assert (done.exit_code, sentence in done.stderr) == (2, True)
    assert str(file) in done.stderr
    told.make_context("told", ["--engines", str(file)], resilient_parsing=True)
