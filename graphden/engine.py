"""Rows are read, resolved, checked, compiled and run: the one sentence of the engine, in
code.
"""

from __future__ import annotations

import gc
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path

from graphden import stdlib
from graphden.check import (
    Contracts,
    Inference,
    diagnose,
    holds_secret,
    json_schema,
    narrower,
)
from graphden.compile import emit, plan
from graphden.compile.support import MISSING
from graphden.edn import read_all
from graphden.errors import (
    Cancelled,
    GraphError,
    Problem,
    ReadError,
    RunError,
    Span,
    UsageError,
)
from graphden.model.plan import GuardKey
from graphden.model.resolved import Constant, Parameter, Program, ResolvedRow
from graphden.model.rows import Row, RowKind
from graphden.model.types import Type
from graphden.read import Source, read_rows
from graphden.read.problems import nearest
from graphden.resolve import resolve
from graphden.resolve.reach import reached, reference_graph
from graphden.run import Context, Package, Resources, as_run_error, installed_packages, secrets
from graphden.run.bind import bind
from graphden.run.lines import Lines, register
from graphden.run.registry import parameter_name
from graphden.testing import TestOutcome, outcomes

_numbers = itertools.count(1)


class Graph:
    """An immutable set of rows, checked and ready to run.

    Load it with `Graph.load` or `Graph.parse`. The standard library and every installed backend
    are part of it.
    """

    def __init__(self, sources: Iterable[Source], problems: Iterable[Problem] = ()) -> None:
        """Make a graph of files that are read already; raises GraphError with all problems."""
        packages, package_rows, package_problems = _package_rows()
        rows = list(package_rows)
        found = [*problems, *package_problems]
        for source in sources:
            more, wrong = read_rows(source)
            rows.extend(more)
            found.extend(wrong)
        self._program, wrong, incomplete = resolve(rows, narrower)
        found.extend(wrong)
        self._contracts = Contracts(self._program.types)
        self._bodies, wrong = bind(self._program, packages, self._contracts)
        found.extend(wrong)
        self._inference = Inference(self._program, self._contracts)
        self._note_secret_literals()
        sound = [row for row in self._program.resolved if row not in incomplete]
        found.extend(diagnose(self._program, self._inference, sound))
        # What stands where text could not be read says no more than that.
        unread = {_start(problem.span) for problem in found if problem.code == "syntax"}
        structural = [
            problem
            for problem in found
            if problem.structural
            and (problem.code == "syntax" or _start(problem.span) not in unread)
        ]
        diagnostics = _in_order(problem for problem in found if not problem.structural)
        if structural:
            raise GraphError([*_in_order(structural), *diagnostics])
        self._diagnostics = diagnostics
        self._compiled: dict[str, tuple[Callable[..., object], Lines]] = {}
        self._lock = threading.Lock()
        self._resources = Resources()

    @classmethod
    def load(cls, *paths: str | Path) -> Graph:
        """The graph of the rows in files and folders (all `*.edn` below them).

        Raises UsageError for a path that is not there, GraphError with every structural
        problem.
        """
        return cls._of_texts(*row_files(*paths))

    @classmethod
    def parse(cls, text: str, *, file: str = "<text>") -> Graph:
        """The graph of the rows in a text; `file` names it in places."""
        return cls._of_texts([(file, text)], [])

    @classmethod
    def _of_texts(cls, texts: Iterable[tuple[str, str]], problems: list[Problem]) -> Graph:
        with _without_garbage_collection():
            sources = []
            for file, text in texts:
                source, wrong = _read(file, text, None)
                sources.append(source)
                problems.extend(wrong)
            return cls(sources, problems)

    @property
    def diagnostics(self) -> tuple[Problem, ...]:
        """What the types say is wrong; a row that reaches one of these is not run."""
        return self._diagnostics

    @property
    def program(self) -> Program:
        """The rows, resolved."""
        return self._program

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that are neither private, inline, nor a package's, in the order of the
        files.
        """
        return tuple(
            row
            for row in self._program.rows.values()
            if row.package is None and not row.inline and not row.private
        )

    def interface(self, row: str) -> tuple[Parameter, ...]:
        """The arguments of a row: name, type, whether required, default, and what they feed."""
        return tuple(self.resolved(row).interface.values())

    def resolved(self, name: str) -> ResolvedRow:
        """The row that `name` (`orders-worker` or `orders.api/orders-worker`) means.

        Raises RunError `unknown-row`, `ambiguous-name` or `private-row`.
        """
        name = name.removeprefix(":")
        rows = self._program.rows
        if "/" in name:
            found = [rows[name]] if name in rows else []
        else:
            found = [row for row in rows.values() if row.name == name and not row.inline]
            own = [row for row in found if row.package is None]
            found = own or found
        match found:
            case [row]:
                if row.private:
                    raise RunError(
                        "private-row", f":{name} is private; rows that begin with _ are not run"
                    )
                return self._program.resolved[row.id]
            case []:
                known = [r.name for r in rows.values() if not r.private and not r.inline]
                close = nearest(name, known)
                raise RunError(
                    "unknown-row",
                    f"there is no row :{name}",
                    hint=f"Did you mean :{close}?" if close else "",
                )
        ids = ", ".join(f":{row.id}" for row in found)
        raise RunError("ambiguous-name", f":{name} may mean {ids}", hint="Write it in full.")

    def run(
        self,
        entry: str,
        arguments: Mapping[str, object] | None = None,
        *,
        timeout_ms: float | None = None,
        context: Context | None = None,
    ) -> object:
        """The value of row `entry` with these arguments.

        `context` brings cancellation and resources; without one the run has its own. Raises
        RunError; a cancelled run raises RunError `cancelled` or `deadline-exceeded`.
        """
        own = context or Context(resources=self._resources)
        if timeout_ms is not None:
            own.set_deadline(timeout_ms)
        try:
            resolved = self.resolved(entry)
            values = self._arguments(resolved, dict(arguments or {}))
            function = self._function(resolved)
            return self._shown(resolved, function(own, *values))
        except Cancelled as cancelled:
            raise RunError(cancelled.code, cancelled.message) from None
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            failure = as_run_error(error)
            failure.explain()
            # The caller sees rows; the frames of generated code stay with the cause.
            raise failure.with_traceback(None) from failure.__cause__
        finally:
            if timeout_ms is not None or context is None:
                own.close()

    def verify(self, entry: str, arguments: Mapping[str, object] | None = None) -> None:
        """Raise what `run` would raise before anything runs: for the row or the arguments."""
        resolved = self.resolved(entry)
        self._arguments(resolved, dict(arguments or {}))
        self._function(resolved)

    def json_schema(self, name: str) -> dict[str, object]:
        """The JSON Schema (2020-12) of a type row's values.

        Raises RunError as `resolved` does, UsageError `no-type` for a row that is no type, and
        `no-json` for a type that JSON cannot hold.
        """
        resolved = self.resolved(name)
        if resolved.row.kind is not RowKind.TYPE:
            raise UsageError("no-type", f":{resolved.row.name} is not a type row")
        return json_schema(resolved.id, self._program.types)

    def test(self, filter: str = "") -> Iterator[TestOutcome]:
        """Run the rows that are tests and have `filter` in their identity, one at a time."""
        rows = (self._program.resolved[row.id] for row in self.rows if filter in row.id)
        return outcomes(rows, self.run)

    @property
    def inference(self) -> Inference:
        """The types of the rows: what each takes and gives, and where values are checked."""
        return self._inference

    def function(self, row: str) -> Callable[..., object]:
        """The row as a plain Python callable: `fn(factor=3)`, `fn(delay_ms=0)` for
        `:delay-ms`; without names the arguments are in the order of the interface.
        """
        resolved = self.resolved(row)
        names = {parameter_name(name): name for name in resolved.interface}
        signature = Signature(
            [
                Argument(
                    python,
                    Argument.POSITIONAL_OR_KEYWORD,
                    default=Argument.empty if resolved.interface[name].required else MISSING,
                )
                for python, name in sorted(
                    names.items(), key=lambda item: not resolved.interface[item[1]].required
                )
            ]
        )

        def call(*values: object, **arguments: object) -> object:
            given = {names.get(k, k): v for k, v in arguments.items()}
            if values:
                placed = signature.bind_partial(*values).arguments
                given |= {names[k]: v for k, v in placed.items()}
            return self.run(resolved.id, given)

        call.__name__ = parameter_name(resolved.row.name)
        call.__doc__ = resolved.row.description or None
        call.__signature__ = signature  # type: ignore[attr-defined]
        return call

    def close(self) -> None:
        """Close what runs of this graph opened (connections, in-process state, …)."""
        self._resources.close()

    # -- inside ------------------------------------------------------------------------------

    @cached_property
    def _references(self):  # type: ignore[no-untyped-def]  # noqa: ANN202
        return reference_graph(self._program)

    def diagnostics_of(self, row_id: str) -> tuple[Problem, ...]:
        """The diagnostics of a row and of all it reaches."""
        if not self._diagnostics:
            return ()
        rows = [self._program.rows[needed] for needed in reached(self._references, row_id)]
        return tuple(
            problem
            for problem in self._diagnostics
            if any(_within(problem.span, row.span) for row in rows)
        )

    def _note_secret_literals(self) -> None:
        types = self._program.types
        for row in self._program.resolved.values():
            for slot in row.slots:
                if isinstance(slot.source, Constant) and holds_secret(slot.type, types):
                    secrets.note_typed(slot.source.value, slot.type, types)

    def _shown(self, resolved: ResolvedRow, value: object) -> object:
        """A secret never leaves a run (LANGUAGE 8.7)."""
        result = self._inference.row(resolved.id).result
        return secrets.hide(value, result, self._program.types)

    def _guards(self, row_id: str) -> Mapping[GuardKey, Type]:
        return self._inference.row(row_id).guards

    def _function(self, resolved: ResolvedRow) -> Callable[..., object]:
        compiled = self._compiled.get(resolved.id)
        if compiled is not None:
            return compiled[0]
        wrong = self.diagnostics_of(resolved.id)
        if wrong:
            listed = "; ".join(f"{p.span}: {p.message}" for p in wrong)
            raise RunError(
                "row-has-diagnostics",
                f":{resolved.row.name} is not run, for what it reaches is wrong: {listed}",
                hint=wrong[0].hint,
                data=wrong,
                row=wrong[0].row,
                span=wrong[0].span,
            )
        with self._lock, _without_garbage_collection():
            if resolved.id not in self._compiled:
                name = f"<graphden {resolved.id} {next(_numbers)}>"
                planned = plan(self._program, resolved.id, self._guards)
                made = emit(planned, self._bodies, self._contracts.guard, name)
                lines = Lines(name, made.lines)
                register(lines)
                self._compiled[resolved.id] = (made.function, lines)
        return self._compiled[resolved.id][0]

    def _arguments(self, resolved: ResolvedRow, given: dict[str, object]) -> list[object]:
        """The arguments in order, checked against the interface (LANGUAGE 5.5)."""
        wrong: list[tuple[str, str, str]] = []
        values: list[object] = []
        types = self._inference.row(resolved.id).parameters
        for name, parameter in resolved.interface.items():
            if name not in given:
                if parameter.required:
                    wrong.append(
                        ("missing-argument", f":{name} ({types[name]}) is missing", "")
                    )
                values.append(MISSING)
                continue
            value = given.pop(name)
            values.append(value)
            secrets.note_typed(value, types[name], self._program.types)
            wrong.extend(
                ("argument-type", f":{name}: {violation}", "")
                for violation in self._contracts.violations(types[name], value)
            )
        for name in given:
            close = nearest(name, resolved.interface)
            listed = ", ".join(f":{n}" for n in resolved.interface) or "none"
            hint = f"Did you mean :{close}?" if close else f"It takes {listed}."
            wrong.append(("unknown-argument", f":{name} is not an argument", hint))
        if wrong:
            raise RunError(
                wrong[0][0],
                f":{resolved.row.name}: " + "; ".join(message for _, message, _ in wrong),
                hint=" ".join(dict.fromkeys(hint for _, _, hint in wrong if hint)),
                data=tuple(wrong),
                row=resolved.row.owner,
                span=resolved.row.span,
            )
        return values


def _start(span: Span | None) -> tuple[str, int, int]:
    return ("", 0, 0) if span is None else (span.file, span.line, span.column)


def _within(inner: Span | None, outer: Span) -> bool:
    if inner is None or inner.file != outer.file:
        return False
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.line, inner.column) < (outer.end_line, outer.end_column)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Loading makes many objects that all stay; collecting in between is most of its time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def row_files(*paths: str | Path) -> tuple[list[tuple[str, str]], list[Problem]]:
    """The files of rows that paths name: names and texts, and a problem for each without text.

    Raises UsageError for a path that is not there or cannot be read.
    """
    texts: list[tuple[str, str]] = []
    problems: list[Problem] = []
    for path in row_paths(*paths):
        try:
            texts.append((str(path), path.read_bytes().decode("utf-8")))
        except UnicodeDecodeError as error:
            problems.append(_not_text(path, error))
        except OSError as error:
            raise UsageError(
                "unreadable-file", f"{path} cannot be read: {error.strerror}"
            ) from error
    return texts, problems


def packages() -> tuple[Package, ...]:
    """The standard library and every installed package."""
    return _package_rows()[0]


@lru_cache(maxsize=1)
def _package_rows() -> tuple[tuple[Package, ...], tuple[Row, ...], tuple[Problem, ...]]:
    found = (stdlib.package, *installed_packages())
    rows: list[Row] = []
    problems: list[Problem] = []
    for package in found:
        for path in sorted(package.rows.glob("*.edn")):
            source, wrong = _read(str(path), path.read_text("utf-8"), package.name)
            more, bad = read_rows(source)
            rows.extend(more)
            problems.extend([*wrong, *bad])
    return found, tuple(rows), tuple(problems)


def _read(file: str, text: str, package: str | None) -> tuple[Source, list[Problem]]:
    forms, errors = read_all(text, file)
    return Source(file, tuple(forms), package), [_syntax(error) for error in errors]


def _syntax(error: ReadError) -> Problem:
    return Problem(error.code, error.message, error.hint, "", error.span, notes=error.notes)


def _not_text(path: Path, error: UnicodeDecodeError) -> Problem:
    before = bytes(error.object[: error.start])
    line = before.count(b"\n") + 1
    column = error.start - (before.rfind(b"\n") + 1) + 1
    return Problem(
        "syntax",
        "this file is not UTF-8 text",
        "Save it as UTF-8.",
        "",
        Span(str(path), line, column, line, column + 1),
    )


def row_paths(*paths: str | Path) -> Iterator[Path]:
    """The files of rows that paths name, each once: files as they are, and all `*.edn` below
    folders. Raises UsageError `no-such-file`.
    """
    seen: set[Path] = set()
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(_rows_below(path))
        elif path.exists():
            found = [path]
        else:
            raise UsageError(
                "no-such-file",
                f"there is no file or folder {path}",
                hint=f"You are in {Path.cwd()}." if not path.is_absolute() else "",
            )
        for each in found:
            if each.resolve() not in seen:
                seen.add(each.resolve())
                yield each


def _rows_below(folder: Path) -> Iterator[Path]:
    """The files of rows in a folder; hidden folders and Python environments are not entered."""
    for here, folders, files in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and not Path(here, name, "pyvenv.cfg").exists()
        ]
        yield from (
            Path(here, name)
            for name in files
            if name.endswith(".edn") and not name.startswith(".")
        )


def _in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    def place(problem: Problem) -> tuple[str, int, int]:
        span = problem.span
        return ("", 0, 0) if span is None else (span.file, span.line, span.column)

    unique = dict.fromkeys(problems)
    return tuple(sorted(unique, key=place))
