"""Running a row so that it is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from graphden.engine import Graph
from graphden.errors import RunError
from graphden.executions.model import Status
from graphden.executions.recorder import Beginning, End, Recorder
from graphden.executions.values import MOST_RESULT, arguments_text, error_text, recorded
from graphden.run import Context, as_run_error
from graphden.run.tracing import Trace


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A row to be run, and recorded under `id`. Call it to run it."""

    recorder: Recorder
    graph: Graph
    entry: str
    arguments: Mapping[str, object]
    context: Context
    id: UUID
    rerun_of: UUID | None = None

    def __call__(
        self, *, timeout_ms: float | None = None, trace: Trace | None = None
    ) -> object:
        """The row's value, once it is recorded.

        A row or arguments that cannot run are refused as `Graph.verify` does, unrecorded.
        Raises what `Recorder.begin` raises, before it runs, and what `Graph.run` raises.
        """
        self.graph.verify(self.entry, self.arguments)
        context = self.context
        beginning = self._beginning()

        def cancel(actor: str) -> None:
            context.cancel("cancelled", f"the run was cancelled by {actor}")

        self.recorder.begin(beginning, cancel)
        with _published_by(context, self.id, beginning.trace_id):
            try:
                value = self.graph.run(
                    self.entry,
                    self.arguments,
                    timeout_ms=timeout_ms,
                    context=context,
                    trace=trace,
                )
            except BaseException as error:
                self.recorder.end(self._failed(error, trace))
                raise
            self.recorder.end(self._succeeded(value, trace))
        return value

    def _beginning(self) -> Beginning:
        shown = self.graph.shown_arguments(self.entry, self.arguments)
        text, was_cut = arguments_text(shown)
        context = self.context
        return Beginning(
            id=self.id,
            entry=self.graph.resolved(self.entry).id,
            digest=self.graph.digest(self.entry),
            arguments=text,
            cut=("arguments",) if was_cut else (),
            hidden=any(shown[name] is not value for name, value in self.arguments.items()),
            trace_id=context.trace_id or self.id,
            parent_id=context.execution_id,
            rerun_of=self.rerun_of,
        )

    def _succeeded(self, value: object, trace: Trace | None) -> End:
        text, was_cut = recorded(value, MOST_RESULT)
        return End(
            self.id,
            Status.SUCCEEDED,
            result=text,
            trace=_trace_text(trace),
            cut=("result",) if was_cut else (),
        )

    def _failed(self, error: BaseException, trace: Trace | None) -> End:
        failure = error if isinstance(error, RunError) else as_run_error(error)
        text, was_cut = error_text(failure)
        status = Status.CANCELLED if failure.code == "cancelled" else Status.FAILED
        return End(
            self.id,
            status,
            error=text,
            trace=_trace_text(trace),
            cut=("error",) if was_cut else (),
        )


def _trace_text(trace: Trace | None) -> str | None:
    return None if trace is None else json.dumps(trace.data())


@contextmanager
def _published_by(context: Context, execution: UUID, trace: UUID) -> Iterator[None]:
    """What is published inside carries this trace and this parent."""
    before = context.trace_id, context.execution_id
    context.trace_id, context.execution_id = trace, execution
    try:
        yield
    finally:
        context.trace_id, context.execution_id = before
