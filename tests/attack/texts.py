"""Attacks with what names and lines of chat hold: the tests of the places that take and show them are all of it."""

from __future__ import annotations

from tests.attack.entry import Attack

ATTACKS = (
    Attack(
        "unseen-names",
        "takes names of control, invisible or direction-changing characters",
        "be nobody, or somebody else, to the eye",
        shown_by="tests/server/rooms/players/test_player_names.py::test_bad_names",
    ),
    Attack(
        "imitating-names",
        "takes names that look like a bot's",
        "pass for a bot",
        shown_by="tests/server/rooms/players/test_bot_names.py::test_names_that_look_like_a_bots",
    ),
    Attack(
        "escapes-to-players",
        "says escape sequences",
        "move a player's cursor, or set a title",
        shown_by="tests/client/sdk/test_text.py::test_nothing_that_a_terminal_obeys_survives",
    ),
    Attack(
        "escapes-to-tables",
        "has escape sequences in what commands print",
        "move an operator's cursor",
        shown_by="tests/server/report/sql/test_result_table.py::test_what_would_move_the_cursor_is_written_out",
    ),
    Attack(
        "escapes-to-logs",
        "has escape sequences in what is logged",
        "move an operator's cursor, or forge a line",
        shown_by="tests/server/test_logs.py::test_what_a_terminal_would_obey_is_written_out",
    ),
    Attack(
        "markup",
        "has tags in names that pages and reports show",
        "run a script",
        shown_by="tests/server/http/previews/test_preview.py::test_a_name_is_no_markup",
    ),
    Attack(
        "markup-in-frames",
        "has tags in what embedded games show",
        "run a script",
        shown_by="tests/server/http/previews/test_embed.py::test_a_page_without_scripts_whose_style_is_the_one_that_is_allowed",
    ),
    Attack(
        "formulas",
        "takes names that spreadsheets compute",
        "have a spreadsheet run it",
        shown_by="tests/server/report/test_spreadsheet.py::test_no_cell_of_ours_is_a_formula",
    ),
)
