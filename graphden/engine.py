"""Rows are read, resolved, checked, compiled and run: the one sentence of the engine, in
code.
"""

from __future__ import annotations

import itertools
import reprlib
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from inspect import Parameter as Argument
from inspect import Signature as PythonSignature
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from graphden.check import Inference, json_schema, variables, without_variables
from graphden.checked import Checked, check, without_garbage_collection
from graphden.compile import Written, link, plan, write
from graphden.compile.spans import CHECKED, PLAIN, TRACED, Variant
from graphden.compile.support import MISSING
from graphden.entries import Entry, Signature, check_of
from graphden.errors import Cancelled, GraphError, Problem, RunError, Span, UsageError
from graphden.files import RowFile, row_files
from graphden.model.resolved import Parameter, Program, ResolvedRow
from graphden.model.rows import Row, RowKind
from graphden.model.types import Type
from graphden.resolve.names import meant_row
from graphden.resolve.reach import reached, reference_graph
from graphden.run import Context, Resources, as_run_error
from graphden.run.lines import Lines, register
from graphden.run.registry import parameter_name
from graphden.testing import TestOutcome, outcomes

if TYPE_CHECKING:  # few runs are traced
    from graphden.run.tracing import Trace

_numbers = itertools.count(1)
_RUN = 'graph.run("double", {"item": 2})'


class Graph:
    """An immutable set of rows, checked and ready to run.

    Load it with `Graph.load` or `Graph.parse`. The standard library and every installed backend
    are part of it.
    """

    def __init__(
        self, checked: Checked, before: Graph | None = None, *, cache: Path | None = None
    ) -> None:
        """A graph of rows that are checked already; raises GraphError with all problems.

        Code is shared with the graph `before`, and with other processes in the folder `cache`.
        """
        if checked.structural:
            raise GraphError(checked.problems)
        self._checked = checked
        self._program = checked.program
        self._inference = checked.inference
        self._compiled: dict[tuple[str, Variant], tuple[Callable[..., object], Lines]] = {}
        if before is not None:
            compiled = dict(before._compiled)
            self._compiled.update(
                (k, v) for k, v in compiled.items() if k[0] not in checked.outdated
            )
        self._kept = None
        self._cache = cache
        if cache is not None:
            from graphden.kept import KeptCode

            self._kept = KeptCode(checked, cache)
        self._entries: dict[str, Entry] = {}
        self._digests: dict[str, str] = {}
        self._lock = threading.Lock()
        self._resources = Resources()

    @classmethod
    def load(cls, *paths: str | Path, cache: str | Path | None = None) -> Graph:
        """The graph of the rows in files and folders (all `*.edn` below them).

        Checked rows and compiled code are kept in the folder `cache`, if one is given: only
        what this user alone can write there is trusted. Raises UsageError for a path that is
        not there, GraphError with every structural problem.
        """
        for path in paths:
            _take(path, (str, PathLike), "Graph.load", "paths", 'Graph.load("a.edn", "b.edn")')
        texts, problems = row_files(*paths)
        if cache is None:
            return cls(check(texts, problems))
        from graphden.kept_rows import check_from

        return cls(check_from(texts, problems, Path(cache)), cache=Path(cache))

    @classmethod
    def parse(cls, text: str, *, file: str = "<text>") -> Graph:
        """The graph of the rows in a text; `file` names it in places."""
        _take(text, str, "Graph.parse", "the text of rows", "Graph.load(PATH) for a file")
        return cls(check({file: text}))

    def edited(self, texts: Mapping[str, str | None]) -> Graph:
        """The graph after an edit: `texts` of files that changed or came, None for those that
        went.

        Only what the edit reaches is read, resolved, checked and compiled again; the rest is
        shared. Raises GraphError as `load` does; this graph stays as it is.
        """
        example = 'graph.edited({"rows.edn": "{:name …}"})'
        _take(texts, Mapping, "Graph.edited", "texts by file", example)
        for text in texts.values():
            _take(text, (str, NoneType), "Graph.edited", "texts, or None", example)
        files = {name: file.text for name, file in self._checked.files.items()}
        left = {name: text for name, text in {**files, **texts}.items() if text is not None}
        return Graph(check(left, before=self._checked), self, cache=self._cache)

    @property
    def diagnostics(self) -> tuple[Problem, ...]:
        """What the types say is wrong; a row that reaches one of these is not run."""
        return self._checked.problems

    @property
    def files(self) -> Mapping[str, RowFile]:
        """The files of rows, packages' not included, by the names they were given."""
        return self._checked.files

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
        """The arguments of a row: name, type, whether required, default, and what they feed.
        What a base function leaves open, and nothing narrows, is `:any`.
        """
        return tuple(
            replace(each, type=without_variables(each.type)) if variables(each.type) else each
            for each in self.resolved(row).interface.values()
        )

    def resolved(self, name: str, *, private: bool = False) -> ResolvedRow:
        """The row that `name` (`orders-worker` or `orders.api/orders-worker`) means; to be
        looked at, not run, also a `private` one.

        Raises RunError `unknown-row`, `ambiguous-name` or `private-row`.
        """
        _take(name, str, "Graph", "a row's name", '"orders-worker"')
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
                if row.private and not private:
                    raise RunError(
                        "private-row", f":{name} is private; rows that begin with _ are not run"
                    )
                return self._program.resolved[row.id]
            case []:
                raise RunError(
                    "unknown-row", f"there is no row :{name}", hint=meant_row(name, rows)
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
        trace: Trace | None = None,
    ) -> object:
        """The value of row `entry` with these arguments.

        `context` brings cancellation and resources; without one the run has its own. `trace`
        is told of every row that is evaluated; the context takes its id, if it has none. Raises
        RunError; a cancelled run raises RunError `cancelled` or `deadline-exceeded`.
        """
        if type(entry) is not str or (arguments and type(arguments) is not dict):
            _take(entry, str, "Graph.run", "a row's name", _RUN)
            _take(arguments or {}, Mapping, "Graph.run", "arguments by name", _RUN)
        own = context or Context(resources=self._resources)
        if timeout_ms is not None:
            own.set_deadline(timeout_ms)
        try:
            resolved = self.resolved(entry)
            row = self._entry(resolved)
            values = row.arguments(arguments or {})
            if trace is not None:
                own.trace_id = trace.begin(own.trace_id)
                return row.shown(self._function(resolved, TRACED)(own, trace, *values))
            ends = context is not None or timeout_ms is not None
            function = self._function(resolved, CHECKED if ends else PLAIN)
            return row.shown(function(own, *values))
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
            own.end()
            if timeout_ms is not None or context is None:
                own.close()

    def verify(self, entry: str, arguments: Mapping[str, object] | None = None) -> None:
        """Raise what `run` would raise before anything runs: for the row or the arguments."""
        if arguments:
            _take(arguments, Mapping, "Graph.verify", "arguments by name", _RUN)
        resolved = self.resolved(entry)
        self._entry(resolved).arguments(arguments or {})
        self._function(resolved)

    def digest(self, row: str) -> str:
        """What a row and all that it reaches are, as a number in hexadecimal: equal in programs
        in which they are written alike, wherever they stand. Raises RunError as `resolved`.
        """
        from graphden.resolve.digest import digest

        resolved = self.resolved(row)
        if resolved.id not in self._digests:
            self._digests[resolved.id] = digest(self._program, resolved.id)
        return self._digests[resolved.id]

    def shown_arguments(self, entry: str, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments of a run as others may see them, without the secrets in them."""
        return self._entry(self.resolved(entry)).shown_arguments(arguments)

    def json_schema(self, name: str) -> dict[str, object]:
        """The JSON Schema (2020-12) of a type row's values.

        Raises RunError as `resolved` does, UsageError `no-type` for a row that is no type, and
        `no-json` for a type that JSON cannot hold.
        """
        resolved = self.resolved(name)
        if resolved.row.kind is not RowKind.TYPE:
            raise UsageError("no-type", f":{resolved.row.name} is not a type row")
        return json_schema(resolved.id, self._program.types)

    def eject(self, row: str) -> str:
        """The row as a Python module, which gives what the row gives: readable, formatted, and
        the same text whenever the rows are the same.

        Raises RunError as `run` does before anything runs, UsageError `secret-literal` for a
        row that has a secret written out, and `no-text` for what no text stands for.
        """
        from graphden.eject import eject

        resolved = self.resolved(row)
        self._refuse_wrong(resolved)
        rows = reached(self._references, resolved.id)
        return eject(resolved, self._checked, rows)

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
        signature = PythonSignature(
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
        if not self.diagnostics:
            return ()
        rows = [self._program.rows[needed] for needed in reached(self._references, row_id)]
        return tuple(
            problem
            for problem in self.diagnostics
            if any(_within(problem.span, row.span) for row in rows)
        )

    def _guard(self, type_: Type) -> Callable[[object], object]:
        """The check of a type; what it says to be secret is kept out of texts from then on."""
        return check_of(type_, self._program.types, self._checked.contracts)

    def _entry(self, resolved: ResolvedRow) -> Entry:
        entry = self._entries.get(resolved.id)
        if entry is None:
            signature = Signature.of(resolved, self._inference)
            entry = Entry(signature, self._program.types, self._checked.contracts)
            self._entries[resolved.id] = entry
        return entry

    def _function(
        self, resolved: ResolvedRow, variant: Variant = CHECKED
    ) -> Callable[..., object]:
        """The compiled row, written as `variant` says when it is first asked for so."""
        key = resolved.id, variant
        compiled = self._compiled.get(key)
        if compiled is not None:
            return compiled[0]
        self._refuse_wrong(resolved)
        with self._lock, without_garbage_collection():
            if key not in self._compiled:
                name = f"<graphden {resolved.id} {next(_numbers)}>"
                written = self._written(resolved.id, variant, name)
                bodies, types = self._checked.bodies, self._program.types
                function = link(written, bodies, self._guard, types)
                lines = Lines(name, written.lines)
                register(lines)
                self._compiled[key] = (function, lines)
        return self._compiled[key][0]

    def _refuse_wrong(self, resolved: ResolvedRow) -> None:
        """Raise RunError `row-has-diagnostics` for a row that reaches one."""
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

    def _written(self, row: str, variant: Variant, filename: str) -> Written:
        def anew() -> Written:
            planned = plan(self._program, row, self._inference)
            return write(planned, self._checked.bodies, filename, variant)

        return self._kept.written(row, variant, filename, anew) if self._kept else anew()


def _take(
    value: object, kind: type | tuple[type, ...], who: str, what: str, example: str
) -> None:
    """Raise UsageError for a value of another kind than a method takes."""
    if not isinstance(value, kind):
        message = f"{who} takes {what}, not {reprlib.repr(value)}"
        raise UsageError("wrong-use", message, hint=f"Write {example}.")


def _within(inner: Span | None, outer: Span) -> bool:
    if inner is None or inner.file != outer.file:
        return False
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.line, inner.column) < (outer.end_line, outer.end_column)
