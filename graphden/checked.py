"""Rows read, resolved and checked; after an edit, only what the edit reaches (LANGUAGE 9)."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from graphden import snapshot
from graphden.check import Contracts, Found, Inference, diagnose, narrower
from graphden.errors import Problem, Span
from graphden.files import RowFile, package_files, package_texts, packages, read_file
from graphden.model.resolved import Program
from graphden.resolve import Resolution, dependants, resolve
from graphden.run import masking, secrets
from graphden.run.bind import bind, undeclared
from graphden.run.registry import Body
from graphden.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Checked:
    """The rows of some files and of all packages, and every problem in them.

    Immutable: `check` with a `before` makes another one that shares all that the edit does not
    reach. `outdated` are the rows of `before` whose compiled code does not hold any more.
    """

    files: Mapping[str, RowFile]
    resolution: Resolution
    contracts: Contracts
    bodies: Mapping[str, Body]
    inference: Inference
    found: Mapping[str, tuple[Problem, ...]]
    """Problems of bodies and types, by the row that has them."""
    problems: tuple[Problem, ...]
    """Those that refuse the load (LANGUAGE 9.1), then the diagnostics, in order of places."""
    outdated: frozenset[str]

    @property
    def program(self) -> Program:
        """The rows, resolved."""
        return self.resolution.program

    def text(self, file: str) -> str:
        """The text of a file, of these or of the packages'."""
        own = self.files.get(file)
        return _package_text(file) if own is None else own.text

    @property
    def structural(self) -> bool:
        """Whether the load is refused."""
        return any(problem.structural for problem in self.problems)


def check(
    texts: Mapping[str, str], problems: Iterable[Problem] = (), before: Checked | None = None
) -> Checked:
    """The rows in `texts`, by names of files. `problems` are what is wrong with files that have
    no text.

    What an edit of `before` does not reach is taken from there.
    """
    with without_garbage_collection():
        before = before or packages_alone()
        files = {
            name: _file(name, text, before.files.get(name)) for name, text in texts.items()
        }
        checked = _check(files, problems, before)
        if checked.inference.gave_up and before is not packages_alone():
            return _check(files, problems, packages_alone())
        return checked


def _file(name: str, text: str, before: RowFile | None) -> RowFile:
    if before is not None and before.text == text:
        return before
    return read_file(name, text, before=before)


@lru_cache(maxsize=1)
def _snapshot() -> Snapshot | None:
    return snapshot.read()


@lru_cache(maxsize=1)
def _package_files() -> tuple[RowFile, ...]:
    kept = _snapshot()
    return tuple(package_files()) if kept is None else kept.files


@lru_cache(maxsize=1)
def packages_alone() -> Checked:
    """The packages' rows: checked once in a process, for every graph has them; or once for all
    processes, when nothing is wrong with them.
    """
    kept = _snapshot()
    if kept is not None:
        return as_kept({}, kept.resolution, kept.found)
    checked = _check({}, (), None)
    told = secrets.are_literals(checked.program, checked.program.resolved)
    if not checked.problems and not told:
        found = checked.inference.found
        snapshot.write(Snapshot(_package_files(), checked.resolution, found))
    return checked


def as_kept(files: Mapping[str, RowFile], resolution: Resolution, found: Found) -> Checked:
    """Rows as they were checked once, without any problem, by another process."""
    program = resolution.program
    contracts = Contracts(program.types)
    inference = Inference(program, contracts, found)
    bodies, wrong = bind(program, program.resolved, packages(), contracts)
    problems = _sorted([*_undeclared(), *wrong.values()])
    of_rows = {row_id: (problem,) for row_id, problem in wrong.items()}
    gone: frozenset[str] = frozenset()
    return Checked(files, resolution, contracts, bodies, inference, of_rows, problems, gone)


def forget_packages() -> None:
    """Look for the installed packages again."""
    for known in (
        packages,
        package_texts,
        _snapshot,
        _package_files,
        packages_alone,
        _undeclared,
    ):
        known.cache_clear()


def _package_text(file: str) -> str:
    return next(text for _, name, text in package_texts() if name == file)


@lru_cache(maxsize=1)
def _undeclared() -> tuple[Problem, ...]:
    rows = (row for file in _package_files() for row in file.rows)
    return tuple(undeclared(rows, packages()))


def _check(
    files: Mapping[str, RowFile], problems: Iterable[Problem], before: Checked | None
) -> Checked:
    everything = [*_package_files(), *files.values()]
    resolution = resolve(
        (row for file in everything for row in file.rows),
        narrower,
        None if before is None else before.resolution,
    )
    program, fresh, gone = resolution.program, resolution.fresh, resolution.gone
    retyped = _has_types(program, fresh) or (
        before is not None and _has_types(before.program, gone)
    )
    contracts = Contracts(program.types) if before is None or retyped else before.contracts
    inference = Inference(program, contracts)
    bodies: dict[str, Body] = {}
    found: dict[str, tuple[Problem, ...]] = {}
    outdated = gone
    to_bind = [row_id for row_id in program.resolved if row_id in fresh]
    if before is not None:
        inference.take(before.inference, gone, retyped=retyped)
        bodies.update((k, v) for k, v in before.bodies.items() if k not in gone)
        found.update((k, v) for k, v in before.found.items() if k not in gone)
        if retyped:
            asking = [row_id for row_id, body in bodies.items() if body.takes_types]
            to_bind += asking
            outdated |= dependants(asking, resolution.looked_up)
    bound, wrong = bind(program, to_bind, packages(), contracts)
    bodies |= bound
    found |= {row_id: (problem,) for row_id, problem in wrong.items()}
    secrets.note_literals(program, [row for row in program.resolved if row in fresh])
    for row_id in program.resolved:
        if row_id in fresh and row_id not in resolution.incomplete:
            diagnosed = tuple(diagnose(program, inference, [row_id]))
            if diagnosed:
                found[row_id] = (*found.get(row_id, ()), *diagnosed)
    checked = Checked(
        files,
        resolution,
        contracts,
        bodies,
        inference,
        found,
        _sorted(
            [
                *problems,
                *(problem for file in everything for problem in file.problems),
                *resolution.of_all,
                *(problem for each in resolution.problems.values() for problem in each),
                *_undeclared(),
                *(problem for each in found.values() for problem in each),
            ]
        ),
        outdated,
    )
    if checked.structural:
        masking.remember_names(program, (row for file in files.values() for row in file.rows))
    return checked


def _has_types(program: Program, rows: Iterable[str]) -> bool:
    return any(row in program.types for row in rows)


def _sorted(found: Iterable[Problem]) -> tuple[Problem, ...]:
    told = map(secrets.clean_problem, found)
    problems = sorted(dict.fromkeys(told), key=lambda problem: _start(problem.span))
    # What stands where text could not be read says no more than that.
    unread = {_start(problem.span) for problem in problems if problem.code == "syntax"}
    return (
        *(
            problem
            for problem in problems
            if problem.structural
            and (problem.code == "syntax" or _start(problem.span) not in unread)
        ),
        *(problem for problem in problems if not problem.structural),
    )


def _start(span: Span | None) -> tuple[str, int, int]:
    return ("", 0, 0) if span is None else (span.file, span.line, span.column)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Loading makes many objects that all stay; collecting in between is most of its time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
