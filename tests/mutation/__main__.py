"""Mutation testing of the pure packages: `python -m tests.mutation`, and again to go on where it stopped.

Each mutant runs in a child forked from a process that holds pytest and the libraries but nothing of the project: the
child puts the mutant in the place of its module when that is imported, runs the tests of the file first, then those of
the rest of the package, and stops at the first failure.
"""

from __future__ import annotations

import argparse
import ast
import gc
import hashlib
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any

import hypothesis
import pytest

from tests.mutation.mutants import Mutant, mutants, mutated, sample
from tests.mutation.swap import Functions, loaded_functions, swap_in

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("engine/rules", "server/play", "server/wire")
RESULTS = ROOT / "build" / "mutants.jsonl"
OURS = ("engine", "server", "client", "tests")
# Examples are not made smaller: the first that fails is enough.
PHASES = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
# Without conftest.py, which compiles kernels and knows of browsers.
OPTIONS = ("--noconftest", "-x", "--assert=plain", "--tb=no", *("-p", "no:cacheprovider"), *("-p", "no:logging"))
FACTOR, SPARE_S = 2, 3
"""A mutant may take so many times the processor time of its tests, plus that."""
SLOW = ("test_perft.py", "test_openings.py")
"""These run for their own file only, so a few more mutants may survive than the tests let through."""
UNDECIDED = "undecided"
STUCK_FACTOR, STUCK_S = 10, 1
"""The same for each test, whose time varies more."""
MEMORY_BYTES = 4 << 30


@dataclass(frozen=True)
class Baseline:
    """How a package's tests run without a mutant."""

    seconds: dict[str, float]
    """Of processor time, by test."""

    def limit_s(self, mutant: Mutant) -> float:
        mine = (seconds for test, seconds in self.seconds.items() if is_run(test.split("::")[0], mutant))
        return FACTOR * sum(mine) + SPARE_S


def is_run(test_file: str, mutant: Mutant) -> bool:
    name = Path(test_file).name
    return name == own_tests(mutant) or name not in SLOW


def own_tests(mutant: Mutant) -> str:
    return f"test_{Path(mutant.file).name}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--number", type=int, default=1000, help="mutants in the sample (default: 1000)")
    parser.add_argument("--seed", type=int, default=13, help="of the sample (default: 13)")
    parser.add_argument(
        "--package", choices=PACKAGES, action="append", help="only the sample's mutants of this package"
    )
    parser.add_argument("-j", "--jobs", type=int, default=1, help="mutants at once (default: 1)")
    parser.add_argument("--again", action="store_true", help="try those that no test killed again")
    parser.add_argument("--fresh", action="store_true", help="forget what is known")
    parser.add_argument("--report", action="store_true", help="only report what is known")
    args = parser.parse_args()
    hypothesis.settings.register_profile("mutants", derandomize=True, deadline=None, database=None, phases=PHASES)
    hypothesis.settings.load_profile("mutants")
    if args.fresh:
        RESULTS.unlink(missing_ok=True)
    found = mutants(ROOT, PACKAGES)
    chosen = sample(found, args.number, args.seed)
    known = read_results()
    if not args.report:
        packages = args.package or PACKAGES
        asked = [m for m in chosen if package_of(m) in packages and to_do(known.get(result_key(m)), args.again)]
        run(asked, args.jobs)
        known = read_results()
    report(chosen, len(found), known)


def to_do(result: dict[str, Any] | None, again: bool) -> bool:
    return result is None or (again and result["outcome"] != "killed")


def package_of(mutant: Mutant) -> str:
    return next(package for package in PACKAGES if mutant.file.startswith(f"{package}/"))


def result_key(mutant: Mutant) -> str:
    """A result is that of a mutant in its file as it was, comments and docstrings apart."""
    return f"{mutant.key}-{code_hash((ROOT / mutant.file).read_text())}"


@cache
def code_hash(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [part for part in node.body if not is_text(part)] or [ast.Pass()]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:12]


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def read_results(skip: int = 0) -> dict[str, dict[str, Any]]:
    """By key, the last of each; without the first `skip` of all."""
    return {result["key"]: result for result in map(json.loads, read_lines()[skip:])}


def read_lines() -> list[str]:
    return RESULTS.read_text().splitlines() if RESULTS.exists() else []


def run(asked: list[Mutant], jobs: int) -> None:
    os.chdir(ROOT)
    RESULTS.parent.mkdir(exist_ok=True)
    before = len(read_lines())
    for package in PACKAGES:
        of_package = [mutant for mutant in asked if package_of(mutant) == package]
        if of_package:
            baseline = measure(package)
            os.waitpid(fork_loaded(package, of_package, baseline, jobs), 0)
            known = read_results(before)
            rest = [mutant for mutant in of_package if result_key(mutant) not in known]
            print(f"{package}: {len(rest)} of {len(of_package)} are left", flush=True)
            run_all(rest, baseline, jobs, partial(run_tests, package, baseline=baseline))


def measure(package: str) -> Baseline:
    """Run a package's tests without a mutant, to learn what time they take, and what libraries to load beforehand."""
    answer = child_answer(fork(lambda: run_tests(package, None, None)))
    if answer["code"] != 0:
        sys.exit(f"The tests of {package} fail without any mutant: {answer['failed']}")
    for name in answer["modules"]:
        if name not in sys.modules:
            importlib.import_module(name)
    baseline = Baseline(answer["seconds"])
    print(f"{package}: {len(baseline.seconds)} tests take {sum(baseline.seconds.values()):.1f} s", flush=True)
    return baseline


def fork_loaded(package: str, asked: list[Mutant], baseline: Baseline, jobs: int) -> int:
    """The quick way, tried first: a child loads the package with its tests, and forks for each mutant put into that.

    What the rules made while they were loaded, tables above all, was made without the mutant: of theirs, only what is
    killed here counts.
    """
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            pytest.main(
                [*OPTIONS, "--capture=no", f"tests/{package}"], plugins=[Loaded(package, asked, baseline, jobs)]
            )
        finally:
            os._exit(0)
    return pid


class Loaded:
    def __init__(self, package: str, asked: list[Mutant], baseline: Baseline, jobs: int) -> None:
        self._survivor = {"code": 0 if package.startswith("server") else UNDECIDED}
        self._asked, self._baseline, self._jobs = asked, baseline, jobs
        self._functions: Functions = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._functions = loaded_functions()
        gc.freeze()
        run_all(self._asked, self._baseline, self._jobs, partial(self._run, session))
        return True

    def _run(self, session: pytest.Session, mutant: Mutant) -> dict[str, Any]:
        if not swap_in(ROOT / mutant.file, mutant.index, self._functions):
            return {"code": UNDECIDED}
        plugin = Plugin(mutant, self._baseline)
        session.config.pluginmanager.register(plugin)
        plugin.pytest_collection_modifyitems(session.items)
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if plugin.failed:
                return {"code": 1, "failed": plugin.failed}
        return self._survivor


def run_all(asked: list[Mutant], baseline: Baseline, jobs: int, work: Callable[[Mutant], dict[str, Any]]) -> None:
    waiting = iter(asked)
    running: dict[int, tuple[Mutant, Child, float]] = {}
    done = 0
    while True:
        while len(running) < jobs and (mutant := next(waiting, None)):
            limit_s = baseline.limit_s(mutant)
            child = fork(partial(work, mutant), limit_s)
            running[child.pipe] = (mutant, child, time.monotonic() + 6 * limit_s)
        if not running:
            return
        ready, _, _ = select.select(list(running), [], [], 1.0)
        for pipe, (mutant, child, until) in list(running.items()):
            if pipe not in ready:
                if time.monotonic() > until:
                    os.kill(child.pid, signal.SIGKILL)
                continue
            del running[pipe]
            done += 1
            answer = child_answer(child)
            if answer["code"] == UNDECIDED:
                continue
            result = outcome(answer)
            shown = f"{mutant.file}:{mutant.line} {mutant.before} -> {mutant.after}"
            print(f"{done}/{len(asked)} {result['outcome']}: {shown}  [{result['by']}]", flush=True)
            with RESULTS.open("a") as file:
                print(json.dumps({"key": result_key(mutant), "place": shown, **result}), file=file)


def outcome(answer: dict[str, Any]) -> dict[str, Any]:
    if answer["code"] is None:  # Out of time or memory.
        return {"outcome": "timed out", "by": answer["failed"]}
    if answer["code"] in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        return {"outcome": "survived", "by": None}
    return {"outcome": "killed", "by": answer["failed"]}


@dataclass(frozen=True)
class Child:
    pid: int
    pipe: int


def fork(work: Callable[[], dict[str, Any]], limit_s: float | None = None) -> Child:
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        os.close(writing)
        return Child(pid, reading)
    try:
        os.close(reading)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        if limit_s is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s), int(limit_s)))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        os.write(writing, json.dumps(work()).encode())
    finally:
        os._exit(0)


def child_answer(child: Child) -> dict[str, Any]:
    """What a child wrote before it ended, or how it was ended."""
    with os.fdopen(child.pipe, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child.pid, 0)
    return json.loads(text) if text else {"code": None, "failed": f"wait status {status}"}


def run_tests(package: str, mutant: Mutant | None, baseline: Baseline | None) -> dict[str, Any]:
    if mutant:
        sys.meta_path.insert(0, MutantFinder(mutant))
    plugin = Plugin(mutant, baseline)
    code = pytest.main([*OPTIONS, f"tests/{package}"], plugins=[plugin])
    modules = [name for name, module in sys.modules.items() if is_library(name, module)] if not mutant else []
    return {"code": code, "failed": plugin.failed, "seconds": plugin.seconds, "modules": modules}


def is_library(name: str, module: object) -> bool:
    spec = getattr(module, "__spec__", None)
    return spec is not None and spec.name == name and name.split(".")[0] not in (*OURS, "__main__", "__mp_main__")


class Plugin:
    """Puts the tests in order, the file's own and the quickest first, and keeps what they took and what failed."""

    def __init__(self, mutant: Mutant | None, baseline: Baseline | None) -> None:
        self._mutant = mutant
        self._baseline = baseline.seconds if baseline else {}
        self.seconds: dict[str, float] = {}
        self.failed: str | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        mutant = self._mutant
        if mutant:
            own = own_tests(mutant)
            items[:] = [item for item in items if is_run(item.path.name, mutant)]
            items.sort(key=lambda item: (item.path.name != own, self._baseline.get(item.nodeid, 0.0)))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        if self._mutant:  # Nothing handles the signal, so it ends the process.
            signal.setitimer(signal.ITIMER_VIRTUAL, STUCK_FACTOR * self._baseline.get(item.nodeid, 0.0) + STUCK_S)
        before = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - before
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = report.nodeid


class MutantFinder(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._name = mutant.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self._path = ROOT / mutant.file
        self._index = mutant.index

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        loader = MutantLoader(fullname, str(self._path), self._index)
        return spec_from_file_location(fullname, self._path, loader=loader)


class MutantLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, index: int) -> None:
        super().__init__(fullname, path)
        self._index = index

    def get_code(self, fullname: str) -> CodeType:
        return compile(mutated(Path(self.path), self._index), self.path, "exec")


def report(chosen: Iterable[Mutant], of: int, known: dict[str, dict[str, Any]]) -> None:
    explained = dict(explanations())
    counts: dict[str, Counter[str]] = {package: Counter() for package in PACKAGES}
    for mutant in chosen:
        result = known.get(result_key(mutant))
        word = result["outcome"] if result else "not run"
        if word == "survived" and mutant.key in explained:
            word = "equivalent"
        counts[package_of(mutant)][word] += 1
        if word == "survived":
            print(f"\n{mutant.key} {mutant.file}:{mutant.line} in {mutant.scope or 'the module'}: {mutant.statement}")
            print(f"  - {mutant.before}\n  + {mutant.after}")
    total = sum(counts.values(), Counter())
    print(f"\nOf {of} mutants:")
    for package, count in [*counts.items(), ("all", total)]:
        killed = count["killed"] + count["timed out"]
        judged = killed + count["survived"]
        share = f"{killed / judged:.1%}" if judged else "-"
        words = ", ".join(f"{number} {word}" for word, number in count.most_common())
        print(f"{package}: {share} of those not equivalent are killed ({words})")


def explanations() -> Iterator[tuple[str, str]]:
    """The survivors that the page explains: its table's first column is the mutant's key."""
    page = ROOT / "docs" / "testing-mutants.md"
    if page.exists():
        for line in page.read_text().splitlines():
            if line.startswith("| `"):
                key, _, why = line[3:].partition("`")
                yield key, why


if __name__ == "__main__":
    main()
