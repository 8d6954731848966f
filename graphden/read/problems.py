"""Gathering problems while reading on, and the words that they share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphden.edn import Keyword, write
from graphden.edn.forms import Form, Kind
from graphden.errors import Problem, Span

SHOWN = 40  # characters of a form that a message quotes
CLOSE = 0.7  # how alike two names are (0 to 1) when one is offered for the other
CLOSE_SHORT = 0.6  # and two of up to four letters, of which two may have changed places


@dataclass(slots=True)
class Problems:
    """The problems found so far in one row."""

    row: str
    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """Note one structural problem at `span`."""
        self.found.append(Problem(code, message, hint, self.row, span))

    def bad(self, form: Form, message: str, hint: str = "") -> None:
        """Note that `form` is not what a row may have there: `bad-row`."""
        self.add("bad-row", form.span, message, hint)


def nearest(name: str, known: Iterable[str], *, cutoff: float | None = None) -> str | None:
    """The known name that `name` was probably meant to be."""
    if cutoff is None:
        cutoff = CLOSE_SHORT if len(name) <= 4 else CLOSE
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return close[0] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`Did you mean :x?`, or nothing."""
    found = nearest(name, known)
    return f"Did you mean :{found}?" if found else ""


def shown(form: Form) -> str:
    """A form as a message quotes it."""
    text = write(form.value, lossy=True)
    if form.kind is Kind.LIST:
        text = f"({text[1:-1]})"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def as_keyword(form: Form, otherwise: str) -> str:
    """How to write what stands as text where a keyword is needed."""
    text = form.value
    if isinstance(text, str) and not isinstance(text, Keyword) and text and " " not in text:
        return f"Write :{text}."
    return otherwise


def listed(names: Iterable[str]) -> str:
    """Names as a message lists them: `:a :b :c`."""
    return " ".join(f":{name}" for name in names)
