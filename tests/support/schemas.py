"""Checks what a command prints with `--json` against the schema that it tells."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner
from jsonschema import Draft202012Validator

from client.cli.main import cli


def schema(name: str) -> Draft202012Validator:
    """That of a command, by its words."""
    told = CliRunner().invoke(cli, ["schema", *name.split()])
    assert told.exit_code == 0, told.output
    form = json.loads(told.stdout)
    Draft202012Validator.check_schema(form)
    return Draft202012Validator(form)


def checked(name: str, printed: str) -> Any:
    """What was printed, which has its form."""
    found = json.loads(printed)
    schema(name).validate(found)
    return found
