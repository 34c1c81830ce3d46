"""TOML read into a typed Struct; one sentence says what is wrong with it. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Meta, inspect

from engine.rules.notation import shown

T = TypeVar("T")
_STEP: Final = re.compile(r"(\w+)|\[(\d+)\]")


class TomlError(ValueError):
    """What is wrong with a text and what would be right, in one sentence."""


def takes(right: str, **bounds: Any) -> Meta:
    """The bounds of a setting, and what it must be in words."""
    return Meta(**bounds, extra={"right": right})


def whole(least: int, most: int) -> Meta:
    return takes(f"a whole number from {least} to {most}", ge=least, le=most)


def without_mark(text: str) -> str:
    """The text of a file that people write: some editors begin it with a byte order mark."""
    return text.removeprefix("\ufeff")


def parse(text: str) -> dict[str, Any]:
    """Raises TomlError for anything that is not TOML."""
    try:
        return tomllib.loads(without_mark(text))
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"This is not valid TOML: {str(error).rstrip('.')}.") from None
    except (ValueError, RecursionError):
        raise TomlError("A number is too long, or brackets are nested too deeply.") from None


def convert(text: str, kind: type[T]) -> T:
    """The text as a Struct whose settings say with `takes` what is right. Raises TomlError."""
    values = parse(text)
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise TomlError(_sentence(str(error), values, inspect.type_info(kind))) from None


def no_setting(key: str, known: Iterable[str]) -> str:
    """The sentence about an unknown key."""
    names = sorted(known)
    meant = "".join(f" (did you mean {near}?)" for near in get_close_matches(key, names, 1))
    return f"there is no setting {shown(key)}{meant}: write one of {', '.join(names)}."


def _sentence(message: str, value: Any, wanted: Any) -> str:
    """msgspec's message, such as "Expected `int` >= 1 - at `$.lists[0].pairs`", as one of ours."""
    problem, _, path = message.partition(" - at `$")
    name = "the file"
    for step in _STEP.finditer(path):
        key, index = step.groups()
        if key and key not in _fields(wanted):
            break  # this is no path, but the text of a key
        value = value[key or int(index)]
        wanted = _fields(wanted)[key] if key else _item(wanted)
        name = path[: step.end()].lstrip(".")
    if not problem.startswith("Object"):
        return f"{name} must be {_right(wanted)}, not {_said(value)}."
    fields = _fields(wanted)
    if "missing" in problem:
        return f"In {name}, {(key := problem.split('`')[1])} is missing: it must be {_right(fields[key])}."
    return f"In {name}, {no_setting(next(key for key in value if key not in fields), fields)}"


def _fields(struct: inspect.StructType) -> dict[str, inspect.Type]:
    return {field.name: field.type for field in struct.fields}


def _item(wanted: inspect.Type) -> inspect.Type:
    """Type of the items of a list, even one that may be left out."""
    match wanted:
        case inspect.UnionType(types=(first, *_)):
            return _item(first)
        case inspect.Metadata(type=inner):
            return _item(inner)
    assert isinstance(wanted, inspect.ListType)
    return wanted.item_type


def _right(wanted: inspect.Type) -> str:
    match wanted:
        case inspect.UnionType(types=(first, *_)):
            return _right(first)
        case inspect.Metadata(extra={"right": right}):
            return str(right)
        case inspect.BoolType():
            return "true or false"
    return "text" if isinstance(wanted, inspect.StrType) else "a table"


def _said(value: Any) -> str:
    try:
        return f"a list of {len(value)}" if isinstance(value, list) else shown(str(value))
    except ValueError:  # Python writes no integers of more than some thousand digits.
        return "a number of thousands of digits"
