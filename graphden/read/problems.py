"""Gathering problems while reading on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphden.errors import Problem, Span


@dataclass(slots=True)
class Problems:
    """The problems found so far in one row."""

    row: str
    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """Note one structural problem at `span`."""
        self.found.append(Problem(code, message, hint, self.row, span))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return close[0] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`Did you mean :x?`, or nothing."""
    found = nearest(name, known)
    return f"Did you mean :{found}?" if found else ""
