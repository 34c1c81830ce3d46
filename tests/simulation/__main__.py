"""`python -m tests.simulation`: runs seeds, tells the story of one that fails, and shows that faults are found."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tests.simulation import faults


@click.command()
@click.option("--seeds", type=click.IntRange(min=1), default=100, show_default=True, help="How many seeds to run.")
@click.option("--from", "first", type=click.IntRange(min=0), default=0, show_default=True, help="The first seed.")
@click.option("--resume", type=click.Path(dir_okay=False, path_type=Path), help="Adds up here what has passed.")
@click.option("--processes", type=click.IntRange(min=1), default=2, show_default=True, help="How many run at once.")
@click.option("--fault", type=click.Choice(sorted(faults.FAULTS)), help="Put this fault into the server first.")
@click.option("--tell/--no-tell", default=True, help="Tell the shortest story of a seed that fails.")
@click.option("--table", is_flag=True, help="Look for every fault, and print the table of docs/server-simulation.md.")
def main(
    seeds: int, first: int, resume: Path | None, processes: int, fault: str | None, tell: bool, table: bool
) -> None:
    """Run the whole server in a simulation, once for each seed."""
    if table:
        from tests.simulation.fault_table import print_table

        print_table(seeds, processes)
        return
    if fault is not None:
        faults.put(faults.FAULTS[fault])  # before any of the server is imported
    from tests.simulation.seeds import run_seeds

    sys.exit(run_seeds(range(first, first + seeds), processes, resume, story=tell))


if __name__ == "__main__":
    main()
