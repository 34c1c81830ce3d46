"""What is wrong with JSON that was refused, found by reading it again and said in a sentence of ours.

msgspec is fast and says what it wants in its own terms, so it decides and this explains.
"""

from __future__ import annotations

import json
import math
import sys
from functools import cache
from typing import Any, Final, NamedTuple

from msgspec import inspect

from engine.rules.notation import shown

_DIGITS: Final = 4000
"""Python reads few more."""
_SHOWN: Final = 24
_ODD: Final = "Brackets are nested too deeply, or a character is half of a surrogate pair."


class Explanation(NamedTuple):
    sentence: str
    field: str | None = None
    """where it is, as in clock.initial_ms"""


class _NotRead(ValueError):
    """Something that Python would read; the message says why it is no JSON."""


def explain(data: bytes | bytearray | str, kind: Any) -> Explanation:
    """What is wrong with a text that msgspec did not read as this type."""
    try:
        text = data if isinstance(data, str) else data.decode()
        value = json.loads(text, object_pairs_hook=_fields_once, parse_int=_whole, parse_constant=_no_constant)
    except UnicodeDecodeError:
        return Explanation("This is not UTF-8: write JSON as UTF-8 text.")
    except json.JSONDecodeError as error:
        return Explanation(f"This is not valid JSON from character {error.pos + 1} on: write one JSON object.")
    except _NotRead as error:
        return Explanation(str(error))
    except RecursionError:
        return Explanation(_ODD)
    return _wrong(value, _described(kind), "") or Explanation(_ODD)


@cache
def _described(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise _NotRead(f"{shown(name)} appears twice in one object: write each field once.")
        fields[name] = value
    return fields


def _whole(digits: str) -> float:
    return int(digits) if len(digits) <= _DIGITS else math.inf


def _no_constant(name: str) -> None:
    raise _NotRead(f"JSON has no {name}: write a number or leave the field out.")


def _wrong(value: Any, wanted: inspect.Type, name: str) -> Explanation | None:
    """What is wrong first, if anything is, with the value of the field `name`, empty for the whole text."""
    match wanted:
        case inspect.Metadata(type=inner):
            return _wrong(value, inner, name)
        case inspect.UnionType(types=(inner, inspect.NoneType())):
            return _wrong(value, inner, name) if value is not None else None
        case inspect.UnionType(types=types) if isinstance(value, dict):
            return _wrong_tagged(value, types)
        case inspect.StructType() if isinstance(value, dict):
            return _wrong_fields(value, wanted, name)
        case inspect.ListType(item_type=item) if isinstance(value, list):
            return _wrong_items(value, item, name)
    return None if _fits(value, wanted) else _must_be(name, wanted, value)


def _wrong_items(value: list[Any], wanted: inspect.Type, name: str) -> Explanation | None:
    bare = wanted.type if isinstance(wanted, inspect.Metadata) else wanted
    # A frame has room for thousands: most of them fit and are passed over.
    odd = ((index, each) for index, each in enumerate(value) if not _fits(each, bare))
    return next(filter(None, (_wrong(each, bare, f"{name}[{index}]") for index, each in odd)), None)


def _wrong_tagged(value: dict[str, Any], types: tuple[inspect.Type, ...]) -> Explanation | None:
    """What is wrong with an object that should be one of these types; one of its fields says which."""
    structs = {struct.tag: struct for struct in types if isinstance(struct, inspect.StructType)}
    tag_field = next(iter(structs.values())).tag_field
    right = _one_of(sorted(map(str, structs)))
    if tag_field not in value:
        return Explanation(f"{tag_field} is missing: it must be {right}.")
    tag = value[tag_field]
    if not isinstance(tag, str) or tag not in structs:
        return Explanation(f"{tag_field} must be {right}, not {_said(tag)}.")
    return _wrong_fields(value, structs[tag], "")


def _wrong_fields(value: dict[str, Any], struct: inspect.StructType, name: str) -> Explanation | None:
    known = {field.encode_name for field in struct.fields} | ({struct.tag_field} if struct.tag_field else set())
    unknown = next((key for key in value if key not in known), None)
    if unknown is not None and struct.forbid_unknown_fields:
        only = f"write only {', '.join(sorted(known))}"
        return Explanation(f"There is no field {shown(unknown)} in {name or struct.tag}: {only}.", name or None)
    for field in struct.fields:
        place = f"{name}.{field.encode_name}".lstrip(".")
        if field.encode_name not in value:
            if field.required:
                return Explanation(f"{place} is missing: it must be {_right(field.type)}.", name or None)
        elif wrong := _wrong(value[field.encode_name], field.type, place):
            return wrong
    return None


def _fits(value: Any, wanted: inspect.Type) -> bool:
    match wanted:
        case inspect.StrType(min_length=least, max_length=most):
            return isinstance(value, str) and _within(len(value), least, most)
        case inspect.LiteralType(values=values):
            return value in values
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType(ge=least, le=most):
            return isinstance(value, int) and not isinstance(value, bool) and _within(value, least, most)
        case inspect.FloatType(ge=least, le=most):
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and abs(value) <= sys.float_info.max and _within(value, least, most)
    return False


def _within(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _must_be(name: str, wanted: inspect.Type, value: Any) -> Explanation:
    field = name.partition("[")[0] or None
    return Explanation(f"{name or 'This'} must be {_right(wanted)}, not {_said(value)}.", field)


def _right(wanted: inspect.Type) -> str:
    match wanted:
        case inspect.Metadata(type=inner) | inspect.UnionType(types=(inner, inspect.NoneType())):
            return _right(inner)
        case inspect.LiteralType(values=values):
            return _one_of([str(value) for value in values])
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType(min_length=least, max_length=most):
            return f"text{_bounds(least, most, 'of', ' characters')}"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number{_bounds(least, most, 'from')}"
        case inspect.FloatType(ge=least, le=most):
            return f"a number{_bounds(least, most, 'from')}"
        case inspect.ListType():
            return "a list"
    return "an object"


def _one_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def _bounds(least: float | None, most: float | None, joint: str, unit: str = "") -> str:
    if least is not None and most is not None:
        return f" {joint} {least} to {most}{unit}"
    if most is not None:
        return f" of at most {most}{unit}"
    return f" of at least {least}{unit}" if least is not None else ""


def _said(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f"{shown(value)} of {len(value)} characters" if len(value) > _SHOWN else shown(value)
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "an object"
    digits = str(value)
    return digits if len(digits) <= _SHOWN and math.isfinite(value) else "a number with too many digits"
