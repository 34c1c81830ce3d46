"""`noughts completion`: shells complete commands, options, games and bots."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Final

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

from server.console.files import write_file
from server.console.group import Group

SHELLS: Final = ("bash", "zsh", "fish")
_MARK: Final = "# noughts completion"
"""Ends the line in a shell's startup file that is ours."""


@add_completion_class
class Bash(ShellComplete):
    """Gets the line up to the cursor, and answers with whatever follows the last character at which bash breaks
    words."""

    name: ClassVar[str] = "bash"

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("_NOUGHTS_LINE", "")
        words = split_arg_string(line)[1:]
        incomplete = words.pop() if words and not line[-1].isspace() else ""
        return words, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        _, incomplete = self.get_completion_args()
        value = incomplete.partition("=")[2] if incomplete.startswith("--") and "=" in incomplete else incomplete
        breaks = "".join(set(":=") & set(os.environ.get("_NOUGHTS_BREAKS", ":=")))
        kept = max((value.rfind(character) for character in breaks), default=-1) + 1
        return f"{item.type},{item.value[kept:]}"


@dataclass(frozen=True, slots=True)
class Places:
    """Where a shell's script goes, and the startup file that reads it; None where the shell looks there by itself."""

    script: Path
    startup: Path | None


def places(shell: str, environment: Mapping[str, str]) -> Places:
    home = Path(environment.get("HOME") or Path.home())
    data, config = (_base(environment, name, home / default) for name, default in _BASES)
    match shell:
        case "bash":
            return Places(data / "bash-completion" / "completions" / "noughts", home / ".bashrc")
        case "zsh":
            startup = Path(environment.get("ZDOTDIR") or home) / ".zshrc"
            return Places(data / "zsh" / "site-functions" / "_noughts", startup)
        case _:
            return Places(config / "fish" / "completions" / "noughts.fish", None)


_BASES: Final = (("XDG_DATA_HOME", ".local/share"), ("XDG_CONFIG_HOME", ".config"))


def _base(environment: Mapping[str, str], name: str, default: Path) -> Path:
    """As the XDG base directories say: a relative one does not count."""
    named = environment.get(name, "")
    return Path(named) if os.path.isabs(named) else default


def script(shell: str) -> str:
    return files("client.cli").joinpath("shells", f"noughts.{shell}").read_text(encoding="utf-8")


_shell_argument = click.argument("shell", required=False, type=click.Choice(SHELLS), metavar="[SHELL]")


@click.group(cls=Group)
def completion() -> None:
    """Complete commands, options, games and bots in bash, zsh and fish."""


@completion.command(epilog="\b\nExamples:\n  noughts completion install\n  noughts completion install fish\n")
@_shell_argument
def install(shell: str | None) -> None:
    """Install completion for SHELL, by default the one in $SHELL.

    It writes a script to where the shell keeps its scripts, and for bash and zsh a line that reads it to .bashrc or
    .zshrc. It says what it wrote; `noughts completion remove` undoes that.
    """
    shell = shell or _current_shell()
    where = places(shell, os.environ)
    with _failing_in_one_sentence():
        where.script.parent.mkdir(parents=True, exist_ok=True)
        write_file(where.script, script(shell).encode())
        click.echo(f"Wrote {where.script}.")
        if where.startup is not None:
            path = shlex.quote(str(where.script))
            line = f"[ -r {path} ] && . {path}  {_MARK}\n".encode()
            before = where.startup.read_bytes() if where.startup.exists() else b""
            others = _without_ours(before)
            newline = b"" if not others or others.endswith(b"\n") else b"\n"
            if others + newline + line != before:
                write_file(where.startup, others + newline + line)
                click.echo(f"Added a line to {where.startup}.")
    click.echo(f"Completion works in every {shell} that starts from now on.")


@completion.command(epilog="\b\nExample:\n  noughts completion remove zsh\n")
@_shell_argument
def remove(shell: str | None) -> None:
    """Remove what `install` wrote for SHELL, by default the one in $SHELL."""
    shell = shell or _current_shell()
    where = places(shell, os.environ)
    done = False
    with _failing_in_one_sentence():
        if where.startup is not None and where.startup.exists():
            before = where.startup.read_bytes()
            after = _without_ours(before)
            if after != before:
                write_file(where.startup, after)
                click.echo(f"Removed our line from {where.startup}.")
                done = True
        if where.script.exists():
            where.script.unlink()
            click.echo(f"Removed {where.script}.")
            done = True
    if not done:
        click.echo(f"Completion for {shell} is not installed.")


@completion.command(epilog="\b\nExample:\n  noughts completion show bash >noughts.bash\n")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def show(shell: str) -> None:
    """Print the script for SHELL, to install it elsewhere."""
    click.echo(script(shell), nl=False)


def _current_shell() -> str:
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        raise click.UsageError(f"$SHELL names none of {', '.join(SHELLS)}: say which, as in `completion install bash`.")
    return name


def _without_ours(text: bytes) -> bytes:
    return re.sub(rb"(?m)^.*" + re.escape(_MARK.encode()) + rb"\n?", b"", text)


@contextmanager
def _failing_in_one_sentence() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{error.filename} cannot be written: {error.strerror}.") from None
