"""Every error the engine gives, and the places they point at.

GraphdenError               the root: .code, .message, .hint, .span
├── ReadError               EDN text that cannot be read
├── GraphError              rows with structural problems: .problems, all of them
├── RunError                a run failed: .row, .span, .trail, .data
└── UsageError              a wrong call of the product itself (paths, options, settings)

Cancelled                   a BaseException: a run was told to end; no row can catch it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a file: lines and columns count from 1, `end_column` is one past the last."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Notes: TypeAlias = tuple[tuple[str, Span], ...]
"""Further places that belong to what is wrong, each with a short label: `bound here`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with rows: what, where and what to do.

    `structural` problems refuse the load; the others are diagnostics, which refuse only the run
    of the rows that reach them (LANGUAGE 9.1).
    """

    code: str
    message: str
    hint: str
    row: str
    span: Span | None
    structural: bool = True
    notes: Notes = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of the way to a failure: a row and the place in it."""

    row: str
    span: Span | None


class GraphdenError(Exception):
    """The root of all errors. `code` is stable, `message` says what, `hint` what to do next."""

    def __init__(
        self, code: str, message: str, *, hint: str = "", span: Span | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.span = span


class ReadError(GraphdenError):
    """EDN text that cannot be read. `span` is the place; `notes` name further places."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        span: Span | None = None,
        notes: Notes = (),
    ) -> None:
        super().__init__(code, message, hint=hint, span=span)
        self.notes = notes


class GraphError(GraphdenError):
    """The rows have structural problems. `problems` holds every one of them, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        first = self.problems[0]
        count = len(self.problems)
        more = "" if count == 1 else f" (and {count - 1} more)"
        where = "" if first.span is None else f"{first.span}: "
        super().__init__(
            first.code, f"{where}{first.message}{more}", hint=first.hint, span=first.span
        )


class RunError(GraphdenError):
    """A run failed.

    A base function raises it with a code, a message and optional data (any value, handed to
    `ex-data`). The engine adds the row and place it arose in, and `trail`: the chain of rows
    that led there, the failing one last. `notes` name further places.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        data: object = None,
        row: str | None = None,
        span: Span | None = None,
        trail: tuple[Frame, ...] = (),
        notes: Notes = (),
    ) -> None:
        super().__init__(code, message, hint=hint, span=span)
        self.notes = notes
        self.data = data
        self.row = row
        self._trail: tuple[Frame, ...] | Callable[[], tuple[Frame, ...]] = trail

    @property
    def trail(self) -> tuple[Frame, ...]:
        """The chain of rows that led to the failure, the failing one last. It may be set to
        what finds it: many failures are handled, and few are looked at.
        """
        if callable(self._trail):
            self._trail = self._trail()
        return self._trail

    @trail.setter
    def trail(self, trail: tuple[Frame, ...] | Callable[[], tuple[Frame, ...]]) -> None:
        self._trail = trail

    def explain(self) -> None:
        """Say row, place and hint below the message in a Python traceback, once."""
        place = "" if self.row is None else f"in :{self.row} ({self.span})"
        for note in (place, self.hint and f"hint: {self.hint}"):
            if note and note not in getattr(self, "__notes__", ()):
                self.add_note(note)

    def __reduce__(self) -> tuple[object, ...]:
        # An exception is pickled by its arguments, of which `args` holds the message only.
        return _run_error, (self.code, self.message, self.__dict__ | {"_trail": self.trail})


def _run_error(code: str, message: str, state: dict[str, object]) -> RunError:
    error = RunError(code, message)
    error.__dict__.update(state)
    return error


class UsageError(GraphdenError):
    """The product was called wrongly: a path that is not there, a setting that makes no
    sense.
    """


class Cancelled(BaseException):
    """A run, or a part of it, was told to end. No row can catch it (LANGUAGE 7.5).

    `scope` is what was cancelled; only its owner may turn this into something else.
    """

    def __init__(self, code: str, message: str, scope: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.scope = scope
