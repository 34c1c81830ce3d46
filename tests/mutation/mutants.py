"""Mutants of a source file: the same file with one small thing changed that a test should notice.

What no behaviour hangs on is left alone: docstrings, annotations, decorators, sentences for people, and the class
options that only make structs smaller or stricter in Python.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

_SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Pow: (ast.Mult,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Break: (ast.Continue,),
    ast.Continue: (ast.Break,),
}
_UNSEEN_FIELDS = {"annotation", "returns", "decorator_list", "type_params"}
_UNSEEN_OPTIONS = {"frozen", "kw_only", "gc", "weakref", "slots", "description"}
_WORD = re.compile(r"[A-Za-z0-9_$/.:-]+")
"""A string that the code compares or sends; others are sentences."""

Change = Callable[[], None]


@dataclass(frozen=True)
class Mutant:
    file: str
    index: int
    """Among all mutants of the file."""
    line: int
    scope: str
    statement: str
    """The first line of the statement, as the file has it."""
    before: str
    after: str
    key: str = ""
    """Stays while the statement and its function stay, so that the sample survives a move to another file."""


def mutants(root: Path, folders: Iterable[str]) -> list[Mutant]:
    found = []
    for folder in folders:
        same: Counter[str] = Counter()
        for path in sorted((root / folder).rglob("*.py")):
            for mutant in _of_file(path, path.relative_to(root).as_posix()):
                what = "\n".join((folder, mutant.scope, mutant.statement, mutant.before, mutant.after))
                same[what] += 1
                key = hashlib.sha256(f"{what}\n{same[what]}".encode()).hexdigest()[:16]
                found.append(Mutant(**{**vars(mutant), "key": key}))
    return found


def sample(found: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """`number` of them, each as likely as any other; a change elsewhere in the code leaves the others in the sample."""
    return sorted(found, key=lambda mutant: hashlib.sha256(f"{seed}/{mutant.key}".encode()).digest())[:number]


def mutated(path: Path, index: int) -> ast.Module:
    tree = ast.parse(path.read_text())
    for number, place in enumerate(_Places(tree, path.read_text())):
        if number == index:
            place.change()
            return ast.fix_missing_locations(tree)
    raise IndexError(f"{path} has no mutant {index}")


def _of_file(path: Path, name: str) -> Iterator[Mutant]:
    source = path.read_text()
    for index, place in enumerate(_Places(ast.parse(source), source)):
        yield Mutant(name, index, place.line, place.scope, place.statement, place.before, place.after)


@dataclass(frozen=True)
class _Place:
    line: int
    scope: str
    statement: str
    before: str
    after: str
    change: Change


class _Places:
    """Every change that can be made to a tree, in the order of the file."""

    def __init__(self, tree: ast.Module, source: str) -> None:
        self._tree, self._lines = tree, source.splitlines()

    def __iter__(self) -> Iterator[_Place]:
        return self._below(self._tree, "", self._tree)

    def _below(self, node: ast.AST, scope: str, statement: ast.AST) -> Iterator[_Place]:
        for field, value in ast.iter_fields(node):
            if field in _UNSEEN_FIELDS:
                continue
            children = value if isinstance(value, list) else [value]
            for position, child in enumerate(children):
                if isinstance(child, ast.AST) and not _is_unseen(child):
                    put = _putter(node, field, position if isinstance(value, list) else None)
                    yield from self._at(child, put, node, scope, statement)

    def _at(
        self, node: ast.AST, put: Callable[[ast.AST], None], parent: ast.AST, scope: str, statement: ast.AST
    ) -> Iterator[_Place]:
        if isinstance(node, ast.stmt | ast.ExceptHandler):
            statement = node
        shown = parent if isinstance(node, ast.operator | ast.cmpop | ast.boolop) else node
        line = getattr(shown, "lineno", getattr(statement, "lineno", 1))
        first = self._lines[getattr(statement, "lineno", 1) - 1].strip()
        for other in _others(node, parent, scope):
            yield _Place(line, scope, first, _text(node, shown), _text(other, shown, node), partial(put, other))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope = f"{scope}.{node.name}".lstrip(".")
            if not isinstance(node, ast.ClassDef) and isinstance(node.returns, ast.Constant):
                scope += "()"  # Returns None: see _others.
        yield from self._below(node, scope, statement)


def _others(node: ast.AST, parent: ast.AST, scope: str) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    for swap in _SWAPS.get(type(node), ()):
        yield swap()
    match node:
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(value * 1.5 + 0.1)
        case ast.Constant(value=str(value)) if _WORD.fullmatch(value) and not isinstance(parent, ast.JoinedStr):
            yield ast.Constant(value + "_")
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.If() | ast.While() | ast.IfExp() if _is_plain(node.test):
            yield _copy(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.AnnAssign(target=ast.Attribute() | ast.Subscript(), value=ast.expr()):
            yield ast.Pass()
        case ast.AnnAssign(target=ast.Name(), value=ast.expr()) if isinstance(parent, ast.ClassDef):
            yield _copy(node, value=None)
        case ast.comprehension(ifs=[_, *_]):
            yield _copy(node, ifs=[])


def _is_unseen(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.keyword(arg=str(name)):
            return name in _UNSEEN_OPTIONS
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            return True
        case ast.FunctionDef(name="__repr__"):
            return True
        case ast.Call(func=ast.Name(id="Final" | "cast" | "TypeVar")):
            return True
    return False


def _is_plain(test: ast.expr) -> bool:
    """A condition that no other change turns round."""
    return not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _copy(node: ast.AST, **changed: object) -> ast.AST:
    return type(node)(**{**dict(ast.iter_fields(node)), **changed})


def _putter(parent: ast.AST, field: str, position: int | None) -> Callable[[ast.AST], None]:
    def put(node: ast.AST) -> None:
        if position is None:
            setattr(parent, field, node)
        else:
            getattr(parent, field)[position] = node

    return put


def _text(node: ast.AST, shown: ast.AST, old: ast.AST | None = None) -> str:
    """A node as text: an operator within its expression, a statement by its first line."""
    if shown is not node and isinstance(node, ast.operator | ast.cmpop | ast.boolop):
        original = old or node
        copy = _copy(shown)
        for field, value in ast.iter_fields(copy):
            if value is original:
                setattr(copy, field, node)
            elif isinstance(value, list):
                setattr(copy, field, [node if item is original else item for item in value])
        node = copy
    try:
        return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]
    except (AttributeError, IndexError):
        return type(node).__name__
