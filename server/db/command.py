"""`noughts db`: look after the database."""

from __future__ import annotations

from pathlib import Path

import click

from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.group import Group
from server.console.interrupts import interrupted_by_signals
from server.db.migrate import back_up, check, describe, prepare
from server.db.options import database_option, failing_in_one_sentence
from server.db.retention_command import archive, prune, restore


@click.group(cls=Group)
@click.pass_context
def db(context: click.Context) -> None:
    """Look after the database: check, migrate, back up, archive."""
    context.with_resource(interrupted_by_signals())


@db.command("check", epilog=examples("noughts db check --db night.db"))
@database_option
@json_option("server.db.migrate:Checked")
@failing_in_one_sentence()
def check_command(path: Path, as_json: bool) -> None:
    """Check the schema, every page and every reference; changes nothing."""
    found = check(path)
    if as_json:
        print_json(found)
    else:
        click.echo(found.sentence)


@db.command("migrate", epilog=examples("noughts db migrate --db night.db"))
@database_option
@failing_in_one_sentence()
def migrate_command(path: Path) -> None:
    """Make the database, or bring it up to date after a backup."""
    for sentence in prepare(path) or [f"{path} is up to date."]:
        click.echo(sentence)


@db.command("backup", epilog=examples("noughts db backup --out /backups/noughts.db"))
@database_option
@click.option(
    "--out", "target", type=click.Path(path_type=Path), help="Where to write the copy; by default next to the database."
)
@failing_in_one_sentence()
def backup_command(path: Path, target: Path | None) -> None:
    """Copy the database to one file, also while a server uses it."""
    click.echo(f"Backed up to {back_up(path, target)}.")


@db.command("info", epilog=examples("noughts db info", "noughts db info --json | jq .size"))
@database_option
@json_option("server.db.migrate:Description")
@failing_in_one_sentence()
def info_command(path: Path, as_json: bool) -> None:
    """Show the schema's version, rows, what takes the space, and how fast the database grows."""
    found = describe(path)
    if as_json:
        print_json(found)
        return
    size = found.size
    click.echo(f"file: {found.file}\nbytes: {found.bytes}\nbytes free in it: {size.free_bytes}")
    click.echo(f"schema version: {found.schema_version}\nSQLite: {found.sqlite}")
    for table, rows in found.rows.items():
        click.echo(f"rows in {table}: {rows}")
    for table, bytes in size.table_bytes.items():
        click.echo(f"bytes of {table}: {bytes}")
    if size.growth is not None:
        days = "1 day" if size.growth.days == 1 else f"{size.growth.days} days"
        click.echo(f"bytes per game: {size.bytes_per_game:.0f}")
        click.echo(f"games per day: {size.growth.games_per_day:.1f} ({days} up to the newest game)")
        click.echo(f"bytes per day: {size.growth.bytes_per_day:.0f}")


for command in (prune, archive, restore):
    db.add_command(command)
