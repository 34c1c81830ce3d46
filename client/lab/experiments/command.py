"""`noughts experiment`: list the experiments of the literature and repeat them."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from client.lab.experiments import plots, report, sources_page
from client.lab.experiments.findings import Report
from client.lab.experiments.registry import EXPERIMENTS, Experiment
from engine.rules.notation import shown
from server.console.arguments import items
from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.exits import INTERRUPTED
from server.console.files import write_file
from server.console.interrupts import interrupted_by_signals
from server.console.progress import progress
from server.workers.cluster.option import cluster_option

ALL: Final = "all"
MAX_GAMES: Final = 1_000_000
_LARGEST: Final = (1 << 63) - 1


@click.group()
def experiment() -> None:
    """Repeat the measurements of the authors of the literature's bots, and compare our figures with theirs."""


@experiment.command("list", epilog=examples("noughts experiment list"))
@json_option("client.lab.outputs:ExperimentList", "one JSON array")
def list_(as_json: bool) -> None:
    """List the experiments: name, subject, games per pairing, and how long it takes."""
    if as_json:
        from client.lab.outputs import ExperimentLine

        print_json(
            [ExperimentLine(one.name, one.title, one.source, one.games, one.about_s) for one in EXPERIMENTS.values()]
        )
        return
    width = max(map(len, EXPERIMENTS))
    for one in EXPERIMENTS.values():
        click.echo(f"{one.name:{width}}  {one.title}; {one.source} ({one.games} games, about {one.about_s} s)")


def _names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    return items(incomplete, [*((one.name, one.title) for one in EXPERIMENTS.values()), (ALL, None)])


@experiment.command(
    epilog=examples("noughts experiment run osipa depth3 --games 20 --out build", "noughts experiment run all")
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=_names)
@click.option(
    "--games", type=click.IntRange(2, MAX_GAMES), help="Games of each pairing; by default as many as `list` shows."
)
@click.option(
    "--jobs", type=click.IntRange(1, 1024), help="Games at a time; by default one fewer than there are cores."
)
@cluster_option
@click.option(
    "--seed", type=click.IntRange(-_LARGEST, _LARGEST), default=0, show_default=True, help="Seed of all random choices."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("experiments"),
    show_default=True,
    help="Where to write experiments.md, sources.md, experiments/NAME.{md,json} and pictures/experiments/.",
)
@click.option("--no-plots", is_flag=True, help="Draw no charts; matplotlib is then not needed.")
@interrupted_by_signals()
def run(
    names: tuple[str, ...],
    games: int | None,
    jobs: int | None,
    cluster: str | None,
    seed: int,
    out: Path,
    no_plots: bool,
) -> int:
    """Run the named experiments, or `all`.

    Prints each figure beside its author's; the pages at --out explain them, with tables and plots. Results of earlier
    experiments there stay on the pages. All counts depend on --seed and --games alone; times do not.
    """
    chosen = _chosen(names)
    left = list(chosen)
    if not no_plots and not plots.available():
        raise click.ClickException(
            "Plots need matplotlib: in a checkout of noughts, make test or pip install '.[plots]' installs it; "
            "or use --no-plots."
        )
    folders = _Folders(out)
    folders.check(besides=chosen[0].name)
    begun_s = time.monotonic()
    try:
        for one in chosen:
            found = _report(one, games or one.games, seed, jobs, cluster, pictures=not no_plots)
            folders.write(found)
            left.remove(one)
            click.echo("\n".join(report.lines(found)))
    except KeyboardInterrupt:
        those = " ".join(one.name for one in left)
        rest = f" Left, with the same options: {those}." if left and len(chosen) > 1 else ""
        click.echo(f"Interrupted; what had finished was written.{rest}", err=True)
        return INTERRUPTED
    what = "The experiment" if len(chosen) == 1 else f"{len(chosen)} experiments"
    click.echo(f"{what} took {time.monotonic() - begun_s:.0f} s. Everything is in {folders.overview}.")
    return 0


def _chosen(names: Sequence[str]) -> Sequence[Experiment]:
    for name in names:
        if name != ALL and name not in EXPERIMENTS:
            raise click.UsageError(
                f"There is no experiment {shown(name)}; the experiments are {', '.join(EXPERIMENTS)} and {ALL}."
            )
    return tuple(one for name, one in EXPERIMENTS.items() if name in names or ALL in names)


def _report(one: Experiment, games: int, seed: int, jobs: int | None, cluster: str | None, pictures: bool) -> Report:
    from client.lab.experiments.lab import ExperimentError, Lab  # loads the compiled searches
    from server.workers.arena import default_jobs

    begun_s = time.monotonic()
    try:
        with progress(announce=True) as shown_progress:
            sections = one.run(Lab(games, seed, jobs or default_jobs(), shown_progress, one.name, cluster))
    except ExperimentError as error:
        raise click.ClickException(str(error)) from None
    return Report(
        name=one.name,
        title=one.title,
        source=one.source,
        games=games,
        seed=seed,
        version=version("noughts"),
        machine=_machine() if cluster is None else f"{_machine()}, and a cluster",
        seconds=round(time.monotonic() - begun_s, 1),
        pictures=pictures,
        sections=sections,
    )


def _machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} on {platform.machine()}, Python {platform.python_version()}"


class _Folders:
    """Where results are written. Files are replaced atomically, so an interrupted run leaves none half written."""

    def __init__(self, out: Path) -> None:
        self.overview = out / "experiments.md"
        self._sources = out / "sources.md"
        self._pages = out / report.PAGES
        self._pictures = out / report.PICTURES
        try:
            self._pages.mkdir(parents=True, exist_ok=True)
            self._pictures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(out, error) from None

    def check(self, besides: str) -> None:
        """Reads the reports before the games: the pages need every one that is there, but the one that is made anew."""
        self._reports(besides)

    def write(self, found: Report) -> None:
        """Writes the data and the pictures of one, and the pages made from all data there."""
        try:
            if found.pictures:
                for _ in plots.draw(found, self._pictures):
                    pass
            write_file(self._pages / f"{found.name}.json", report.to_json(found).encode())
            reports = self._reports()
            for one in reports:
                write_file(self._pages / f"{one.name}.md", report.page(one).encode())
            write_file(self.overview, report.overview(reports).encode())
            write_file(self._sources, sources_page.page(reports).encode())
        except OSError as error:
            raise _unwritable(self.overview.parent, error) from None

    def _reports(self, besides: str | None = None) -> list[Report]:
        paths = [self._pages / f"{name}.json" for name in EXPERIMENTS if name != besides]
        return [_read(path) for path in paths if path.exists()]


def _read(path: Path) -> Report:
    try:
        return report.from_json(path.read_bytes())
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror or error}.") from None
    except ValueError as error:
        raise click.ClickException(f"{path} is not a report of this version ({error}): remove it.") from None


def _unwritable(path: Path, error: OSError) -> click.ClickException:
    return click.ClickException(f"{path} cannot be written: {error.strerror or error}.")
