"""The scanner: edn_format's lexer, with a place for every token and a word for every flaw.

It stands between the lexer and the parser. The parser asks it for tokens; it hands them on with
values that know their places: a `Form` for a scalar, line and column for a bracket or a prefix.
What the lexer lets pass and rows must not contain (values that touch, brackets that do not
match) is found here. Flaws inside one value are gathered in `problems` and reading goes on;
flaws of structure end it with a `ReadError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphden.edn import flaws
from graphden.edn.forms import Form, Kind
from graphden.edn.lines import Lines
from graphden.edn.scalars import SCALARS, Malformed
from graphden.edn.tokens import (
    CLOSER_OF,
    CLOSERS,
    PREFIXES,
    WORDS,
    IllegalCharacter,
    must_not_touch,
)
from graphden.errors import ReadError, Span

_MANY_NOTES = 5

Notes = tuple[tuple[str, Span], ...]


@dataclass(slots=True)
class _Open:
    """A bracket that is not closed yet."""

    bracket: str
    span: Span
    stray: Span | None = None
    """A bracket inside it that starts a line: perhaps this one should have ended before."""


class Scanner:
    """The tokens of one text, for one parse; `lexer` is a fresh clone that it may use up."""

    def __init__(self, text: str, file: str, lexer: Any) -> None:
        self.file = file
        self.problems: list[ReadError] = []
        self.form_start = 0
        """The offset at which the outermost form that is being read starts."""
        self.text = text
        self._lexer = lexer
        self._lines = Lines(text)
        self._line = self._line_start = self._line_end = 0
        self._open: list[_Open] = []
        self._kind = ""
        self._start = 0
        self._end = -1
        self._prefix = (0, 0)
        self._names: dict[str, object] = {}
        lexer.input(text)

    def token(self) -> Any:
        """The next token, or None at the end (PLY's protocol). Raises ReadError."""
        try:
            token = self._lexer.token()
        except IllegalCharacter:
            raise self._illegal(self._lexer.lexpos) from None
        if token is None:
            if self._open:
                raise self._unclosed()
            return None
        kind, start, end = token.type, token.lexpos, self._lexer.lexpos
        if start == self._end and must_not_touch(self._kind, kind):
            flaw = flaws.touching(self.text, self._kind, self._start, kind, start)
            self._report(flaw)
            if kind in WORDS:  # what is left of the run belongs to the flaw
                self._lexer.lexpos = max(end, flaw.end)
                self._kind = ""
                return self.token()
        elif not self._open and self._kind not in PREFIXES:
            self.form_start = start
        self._kind, self._start, self._end = kind, start, end
        token.value = self._placed(kind, token.value, start, end)
        return token

    def problem(self, span: Span, message: str, hint: str, notes: Notes = ()) -> None:
        """Note a flaw that does not end reading."""
        self.problems.append(self._error(span, message, hint, notes))

    def missing_form(self) -> ReadError:
        """The error for a prefix (`#_`, `#inst`) with nothing behind it."""
        start, end = self._prefix
        message = f"`{self.text[start:end]}` has no form behind it"
        return self._error(
            self._span(start, end), message, "write the form, or remove the prefix"
        )

    def _placed(self, kind: str, raw: str, start: int, end: int) -> object:
        """What the parser gets as the token's value."""
        if start >= self._line_end:
            self._enter_line(start)
        line, column = self._line, start - self._line_start + 1
        if kind in SCALARS:
            if end <= self._line_end:
                span = Span(self.file, line, column, line, column + end - start)
            else:
                span = self._span(start, end)
            return Form(Kind.SCALAR, self._value(kind, raw, start, span), span)
        if kind in CLOSERS:
            self._close(raw, start)
            return line, column + 1
        if kind in PREFIXES:
            self._prefix = start, end
            return raw.removeprefix("#"), (line, column)
        self._enter_bracket(raw, Span(self.file, line, column, line, column + len(raw)))
        return line, column

    def _value(self, kind: str, raw: str, start: int, span: Span) -> object:
        try:
            if kind not in {"KEYWORD", "SYMBOL"}:
                return SCALARS[kind](raw)
            if raw not in self._names:  # rows repeat names: one object for each
                self._names[raw] = SCALARS[kind](raw)
            return self._names[raw]
        except Malformed as flaw:
            if flaw.end is not None:
                span = self._span(start + flaw.start, start + flaw.end)
            self.problem(span, flaw.message, flaw.hint)
            return raw

    def _enter_line(self, offset: int) -> None:
        starts = self._lines.starts
        self._line, column = self._lines.place(offset)
        self._line_start = offset - column + 1
        last = self._line == len(starts)
        self._line_end = len(self.text) + 1 if last else starts[self._line]

    def _enter_bracket(self, bracket: str, span: Span) -> None:
        if span.column == 1 and self._open:
            outer = self._open[-1]
            vector_of_rows = outer.bracket == "[" and outer.span.column == 1
            if outer.stray is None and not vector_of_rows:
                outer.stray = span
        self._open.append(_Open(bracket, span))

    def _close(self, closer: str, start: int) -> None:
        span = self._span(start, start + 1)
        if not self._open:
            hint = "remove it, or open before it what it should close"
            raise self._error(span, f"this {closer} closes nothing", hint)
        last = self._open.pop()
        if CLOSER_OF[last.bracket] != closer:
            place = f"{last.span.line}:{last.span.column}"
            raise self._error(
                span,
                f"this {closer} does not close the {last.bracket} opened at {place}",
                f"close it with {CLOSER_OF[last.bracket]} first",
                ((f"{last.bracket} opened here", last.span),),
            )

    def _unclosed(self) -> ReadError:
        last = self._open[-1]
        place = f"{last.span.line}:{last.span.column}"
        hint = f"close it with {CLOSER_OF[last.bracket]}"
        stray = next((each.stray for each in self._open if each.stray is not None), None)
        if stray is not None:
            hint += f", perhaps before line {stray.line}, where a new form seems to start"
        outer = self._open[:-1][-_MANY_NOTES:]
        return self._error(
            last.span,
            f"this {last.bracket} opened at {place} is still open",
            hint,
            tuple((f"{each.bracket} is open too", each.span) for each in outer),
        )

    def _illegal(self, offset: int) -> ReadError:
        touched = self._start if self._end == offset else None
        flaw = flaws.illegal(self.text, offset, self._kind, touched)
        return self._error(self._span(flaw.start, flaw.end), flaw.message, flaw.hint)

    def _report(self, flaw: flaws.Flaw) -> None:
        self.problem(self._span(flaw.start, flaw.end), flaw.message, flaw.hint)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.file, *self._lines.place(start), *self._lines.place(end))

    def _error(self, span: Span, message: str, hint: str, notes: Notes = ()) -> ReadError:
        return ReadError("syntax", message, hint=hint, span=span, notes=notes)
