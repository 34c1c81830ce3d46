"""What games, their rules and their moves are called. Pure but for the language."""

from __future__ import annotations

from client.terminal.language import t, there_is
from engine.rules.flat import FlatRules
from engine.rules.notation import FILES, shown
from engine.rules.position import IllegalMove, MalformedMove, Move, Position, Rules


def game_name(rules: Rules) -> str:
    key = f"rules.{rules.id.replace(':', '-')}.name"
    if there_is(key):
        return t(key)
    if not isinstance(rules, FlatRules):
        return rules.name
    if len(rules.dimensions) == 3:
        return t("rules.cube.name", size=rules.dimensions[0], aim=_count_word(rules.length))
    columns, rows = rules.dimensions
    return t("rules.mnk.name", columns=columns, rows=rows, aim=_aim(rules))


def rules_sentences(rules: Rules) -> list[str]:
    """The rules in three sentences."""
    if not isinstance(rules, FlatRules):
        key = f"rules.{rules.id.replace(':', '-')}"
        told = there_is(f"{key}.end")
        return [t(f"{key}.{part}") for part in ("board", "aim", "end")] if told else list(rules.sentences)
    aim = _count_word(rules.length)
    if len(rules.dimensions) == 3:
        return [
            t("rules.cube.board", aim=aim, size=rules.dimensions[0]),
            t("rules.cube.aim", aim=aim, lines=len(rules.lines)),
            t("rules.cube.end"),
        ]
    columns, rows = rules.dimensions
    if rules.length == max(columns, rows):
        key = "rules.mnk.aim.longest"
    else:
        key = "rules.mnk.aim.exact" if rules.exact else "rules.mnk.aim"
    return [
        t("rules.mnk.board", columns=columns, rows=rows),
        t(key, aim=_aim(rules)),
        t("rules.mnk.end"),
    ]


def _aim(rules: FlatRules) -> str:
    """ "five", "exactly five" """
    aim = _count_word(rules.length)
    return t("rules.mnk.exactly", aim=aim) if rules.exact else aim


def line_words(rules: Rules) -> str:
    """What completes a line: "five in a row", or boards where whole boards are won."""
    if rules.nested and rules.id != "nine-board":
        return t("result.line.boards")
    return t("result.line.row", aim=_count_word(rules.length if isinstance(rules, FlatRules) else 3))


def _count_word(count: int) -> str:
    return t(f"rules.count.{count}") if there_is(f"rules.count.{count}") else str(count)


def parse_move(text: str, rules: Rules) -> Move:
    """The cell that a text names. Raises MalformedMove with a sentence in our language."""
    try:
        return rules.parse_move(text)
    except MalformedMove:
        raise MalformedMove(_malformed(shown(text), rules)) from None


def _malformed(text: str, rules: Rules) -> str:
    if rules.nested:
        return t("move.nested", text=text)
    columns, rows = rules.dimensions[:2]
    return t("move.cube" if len(rules.dimensions) == 3 else "move.flat", text=text, file=FILES[columns - 1], rank=rows)


def check_move(position: Position, move: Move) -> None:
    """Raises IllegalMove with a sentence in our language."""
    try:
        position.play(move)
    except IllegalMove:
        raise IllegalMove(_why_illegal(position, move)) from None


def _why_illegal(position: Position, move: Move) -> str:
    text = position.rules.format_move(move)
    owner = position.mark(move)
    if position.outcome is not None:
        return t("move.over", move=text)
    if owner is not None:
        return t("move.taken", move=text, owner=owner.upper())
    if position.forced is not None:
        return t("move.elsewhere", move=text, board=position.forced + 1)
    return t("move.closed", move=text, board=move // 9 + 1)
