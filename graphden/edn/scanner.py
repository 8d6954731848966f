"""The scanner: edn_format's lexer, with a place for every token and a clear error for every flaw.

It stands between edn_format's lexer and the parser. The parser asks it for tokens; it hands them
on with values that know their places: a `Form` for a scalar, line and column for a bracket or a
prefix. What the lexer lets pass and rows must not contain (values that touch, brackets that do not
match) is found here. Flaws inside one value are gathered in `problems` and reading goes on;
flaws of structure end it with a `ReadError`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from graphden.edn.forms import Form, Kind
from graphden.edn.scalars import SCALARS, Malformed
from graphden.errors import ReadError, Span


class IllegalCharacter(Exception):  # noqa: N818 - caught below, which makes a ReadError of it
    """The lexer stands before a character that starts no token."""


LINE_BREAK = re.compile(r"\r\n?|\n")
_RUN = re.compile(r"""[^\s,;()\[\]{}"]*""")
_SURROGATE = re.compile("[\ud800-\udfff]")

_CLOSER_OF = {"[": "]", "(": ")", "{": "}", "#{": "}"}
_CLOSERS = frozenset({"VECTOR_END", "LIST_END", "MAP_OR_SET_END"})
_PREFIXES = frozenset({"TAG", "DISCARD_TAG", "MAP_NAMESPACE_TAG", "CARET"})
_NUMBERS = frozenset({"INTEGER", "HEX_INTEGER", "FLOAT", "RATIO", "SYMBOLIC_VALUE"})
_WORDS = _NUMBERS | {"CHAR", "WHITESPACE", "SYMBOL", "KEYWORD"}
_TOUCHING: dict[str, frozenset[str]] = {
    # Kind of token -> kinds that may not follow without a space between.
    **dict.fromkeys(_WORDS, _WORDS | _PREFIXES | {"SET_START"}),
    "SYMBOL": _WORDS | _PREFIXES | {"SET_START", "STRING"},
    "STRING": frozenset({"STRING", "SYMBOL"}),
    "TAG": _WORDS | _PREFIXES,
}
_NOUNS = {
    **dict.fromkeys(_NUMBERS, "number"),
    "CHAR": "character",
    "WHITESPACE": "character",
    "KEYWORD": "keyword",
    "SYMBOL": "symbol",
    "TAG": "tag",
}
_ILLEGAL = {
    "'": ("quoting", "write the value itself: `{:value …}` keeps it from being a reference"),
    "`": ("quoting", "write the value itself"),
    "~": ("unquoting", "write the value itself"),
    "@": ("dereferencing", "refer to a row that derefs"),
    '#"': ("a regular expression", 'write the pattern as text: "…", with \\\\ for a backslash'),
    "#(": ("a function literal", "name a row, or write an inline row: {:parent …}"),
    "#'": ("a var", "name the row with a keyword"),
    "#?": ("a reader conditional", "write the value itself"),
}


@dataclass(frozen=True, slots=True)
class _Open:
    """A bracket that is not closed yet."""

    bracket: str
    span: Span
    stray: Span | None
    """A bracket at the start of a line, inside this one: perhaps this one should have ended."""


class Scanner:
    """The tokens of one text. Made for one parse; `lexer` is a fresh clone that it may use up."""

    def __init__(self, text: str, file: str, lexer: Any) -> None:
        self.file = file
        self.problems: list[ReadError] = []
        self.form_start = 0
        """Where the outermost form that is being read starts."""
        self._text = text
        self._lexer = lexer
        self._starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
        self._line = 0
        self._line_start = 0
        self._line_end = 0
        self._open: list[_Open] = []
        self._previous_kind = ""
        self._previous_start = 0
        self._previous_end = -1
        self._names: dict[str, object] = {}
        lexer.input(text)
        broken = None if text.isascii() else _SURROGATE.search(text)
        if broken is not None:
            raise self.error(
                self.span(broken.start(), broken.end()),
                f"U+{ord(broken.group()):04X} is half of a surrogate pair, not a character",
                hint="save the file as UTF-8",
            )

    def token(self) -> Any:
        """The next token, or None at the end. PLY's parser calls this."""
        lexer = self._lexer
        try:
            token = lexer.token()
        except IllegalCharacter:
            raise self._illegal(lexer.lexpos) from None
        if token is None:
            if self._open:
                raise self._unclosed()
            return None
        kind, start, end = token.type, token.lexpos, lexer.lexpos
        if start == self._previous_end and kind in _TOUCHING.get(self._previous_kind, ()):
            self._touching(kind, start, end)
            if kind in _WORDS or kind == "STRING":
                return self.token()
        elif not self._open and self._previous_kind not in _PREFIXES:
            self.form_start = start
        self._previous_kind, self._previous_start, self._previous_end = kind, start, end

        if start >= self._line_end:
            self._enter_line(start)
        line, column = self._line, start - self._line_start + 1
        reader = SCALARS.get(kind)
        if reader is not None:
            if end <= self._line_end:
                span = Span(self.file, line, column, line, column + end - start)
            else:
                span = self.span(start, end)
            token.value = Form(Kind.SCALAR, self._value(kind, token.value, start, span), span)
        elif kind in _CLOSERS:
            self._close(token.value, start)
            token.value = (line, column + 1)
        elif kind in _PREFIXES:
            token.value = (token.value.lstrip("#"), (line, column))
        else:
            self._enter_bracket(token.value, line, column)
            token.value = (line, column)
        return token

    def error(
        self,
        span: Span,
        message: str,
        *,
        hint: str = "",
        notes: tuple[tuple[str, Span], ...] = (),
    ) -> ReadError:
        """A `ReadError` at `span`."""
        return ReadError("syntax", message, hint=hint, span=span, notes=notes)

    def problem(
        self, span: Span, message: str, hint: str, notes: tuple[tuple[str, Span], ...] = ()
    ) -> None:
        """Note a flaw that does not end reading."""
        self.problems.append(self.error(span, message, hint=hint, notes=notes))

    def span(self, start: int, end: int) -> Span:
        """The place of the text from offset `start` to offset `end`."""
        return Span(self.file, *self._place(start), *self._place(end))

    def missing_form(self) -> ReadError:
        """The error for a prefix (`#_`, `#inst`) with nothing behind it."""
        span = self.span(self._previous_start, self._previous_end)
        start, end = self._previous_start, self._previous_end
        if self._previous_kind in _CLOSERS:
            before = self._text[: self._previous_start].rstrip(" \t\n\r\f\v,")
            match = re.search(r"#\S*\Z", before)
            if match is not None:
                start, end = match.span()
                span = self.span(start, end)
        return self.error(
            span,
            f"`{self._text[start:end]}` has no form behind it",
            hint="write the form, or remove the prefix",
        )

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _enter_line(self, offset: int) -> None:
        line = bisect_right(self._starts, offset)
        self._line = line
        self._line_start = self._starts[line - 1]
        self._line_end = self._starts[line] if line < len(self._starts) else len(self._text) + 1

    def _value(self, kind: str, raw: str, start: int, span: Span) -> object:
        try:
            if kind not in {"KEYWORD", "SYMBOL"}:
                return SCALARS[kind](raw)
            if raw not in self._names:  # rows repeat names: one object for each
                self._names[raw] = SCALARS[kind](raw)
            return self._names[raw]
        except Malformed as flaw:
            if flaw.end is not None:
                span = self.span(start + flaw.start, start + flaw.end)
            self.problem(span, flaw.message, flaw.hint)
            return raw

    def _enter_bracket(self, bracket: str, line: int, column: int) -> None:
        span = Span(self.file, line, column, line, column + len(bracket))
        if column == 1 and self._open:
            outer = self._open[-1]
            if outer.stray is None and (outer.bracket != "[" or outer.span.column > 1):
                self._open[-1] = _Open(outer.bracket, outer.span, span)
        self._open.append(_Open(bracket, span, None))

    def _close(self, closer: str, start: int) -> None:
        if not self._open:
            raise self.error(
                self.span(start, start + 1),
                f"this {closer} closes nothing",
                hint="remove it, or open what it should close",
            )
        last = self._open.pop()
        if _CLOSER_OF[last.bracket] != closer:
            place = f"{last.span.line}:{last.span.column}"
            raise self.error(
                self.span(start, start + 1),
                f"this {closer} does not close the {last.bracket} opened at {place}",
                hint=f"close it with {_CLOSER_OF[last.bracket]} first",
                notes=((f"{last.bracket} opened here", last.span),),
            )

    def _unclosed(self) -> ReadError:
        last = self._open[-1]
        notes = tuple(
            (f"{each.bracket} is open too", each.span) for each in self._open[:-1][-4:]
        )
        hint = f"close it with {_CLOSER_OF[last.bracket]}"
        stray = next((each.stray for each in self._open if each.stray is not None), None)
        if stray is not None:
            hint += f"; perhaps before line {stray.line}, where a new form seems to start"
        return self.error(
            last.span,
            f"this {last.bracket} opened at {last.span.line}:{last.span.column} is still open",
            hint=hint,
            notes=notes,
        )

    def _touching(self, kind: str, start: int, end: int) -> None:
        """Report the token at `start`, which touches the previous one, and skip the whole run."""
        if kind in _WORDS:
            end = max(end, self._run_end(start))
        first = self._previous_start
        raw = self._text[first:end]
        if "STRING" in {kind, self._previous_kind}:
            message = "a text touches the value beside it"
            hint = r"a quote inside a text is written \"; put a space between two values"
        else:
            message = f"`{raw}` is not a {_NOUNS[self._previous_kind]}"
            hint = _touching_hint(raw)
        if kind in _WORDS or kind == "STRING":
            self._lexer.lexpos = end
            self._previous_kind = ""
        self.problem(self.span(first, end), message, hint)

    def _illegal(self, offset: int) -> ReadError:
        text = self._text
        character = text[offset]
        if character == '"':
            line_end = LINE_BREAK.search(text, offset)
            return self.error(
                self.span(offset, len(text) if line_end is None else line_end.start()),
                "this text is never closed",
                hint=r'close it with "; a quote inside a text is written \"',
            )
        if character.isspace() or not character.isprintable():
            name = unicodedata.name(character, "a control character")
            return self.error(
                self.span(offset, offset + 1),
                f"U+{ord(character):04X} ({name}) stands outside of a text",
                hint="write a plain space instead",
            )
        pair = text[offset : offset + 2]
        meaning, hint = _ILLEGAL.get(pair, _ILLEGAL.get(character, ("", "")))
        if self._previous_end == offset and self._previous_kind in _WORDS:
            start = self._previous_start
            raw = text[start : self._run_end(offset)]
            message = f"`{raw}` is not a {_NOUNS[self._previous_kind]}"
            return self.error(
                self.span(start, start + len(raw)), message, hint=_touching_hint(raw)
            )
        if meaning:
            raw = pair if character == "#" else character
            message = f"`{raw}` starts {meaning}, which EDN rows do not have"
        else:
            raw = text[offset : self._run_end(offset)]
            message, hint = f"`{raw}` is not a value", 'write text in quotes: "…"'
        return self.error(self.span(offset, offset + len(raw)), message, hint=hint)

    def _run_end(self, offset: int) -> int:
        """Where the run of characters ends that `offset` is in: at a space, bracket or quote."""
        run = _RUN.match(self._text, offset)
        return offset + 1 if run is None else max(run.end(), offset + 1)


def _touching_hint(raw: str) -> str:
    if re.match(r"[-+]?0\d", raw):
        return "a number does not start with 0; write text in quotes"
    if raw.startswith("\\"):
        return 'write text in quotes: "…"'
    if raw.count("/") > 1:
        return "a name has at most one /"
    return "put a space between two values; write text in quotes"
