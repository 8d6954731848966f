"""Gathering problems while reading on, and the words that they share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from graphden.edn import Keyword, Symbol, write
from graphden.edn.forms import Form, Kind
from graphden.errors import Problem, Span
from graphden.read.other_words import OTHER_WORDS

LEVELS = 200
"""How many types, or constraints, may be written inside each other."""

SHOWN = 40  # characters of a form that a message quotes
LONGEST = 100  # letters of a name for which another is offered
CLOSE = 1 / 3  # the part of a name's letters that may be wrong when another is offered for it


@dataclass(slots=True)
class Problems:
    """The problems found so far in one row. `level` counts the types that are being read;
    `variables` says whether they may have any, as those of base functions do.
    """

    row: str
    found: list[Problem] = field(default_factory=list)
    level: int = 0
    variables: bool = False

    def add(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """Note one structural problem at `span`."""
        self.found.append(Problem(code, message, hint, self.row, span))

    def bad(self, form: Form, message: str, hint: str = "") -> None:
        """Note that `form` is not what a row may have there: `bad-row`."""
        self.add("bad-row", form.span, message, hint)

    def too_deep(self, form: Form, what: str, hint: str) -> bool:
        """Whether `form` stands inside too many of its kind; if so, that is noted."""
        if self.level < LEVELS:
            return False
        self.bad(form, f"{what} stand inside each other at most {LEVELS} levels deep", hint)
        return True


def nearest(name: str, known: Iterable[str], *, wrong: float = CLOSE) -> str | None:
    """The known name that `name` was probably meant to be: at most the part `wrong` of the
    letters of the longer one differ. Of several as near, one with the same first letter. Else
    what it means in other languages.
    """
    names = [each for each in known if len(each) <= LONGEST] if len(name) <= LONGEST else []
    if (meant := OTHER_WORDS.get(name)) in names:
        return meant
    best: tuple[int, bool, str] | None = None
    for other in names:
        most = int(wrong * max(len(name), len(other)))
        if best is not None:
            most = min(most, best[0])
        distance = _distance(name, other, most)
        if distance is not None:
            found = (distance, name[:1] != other[:1], other)
            best = found if best is None else min(best, found)
    return None if best is None else best[2]


def _distance(one: str, other: str, most: int) -> int | None:
    """How many letters are wrong, missing, too many or have changed places with their
    neighbour (Damerau and Levenshtein's measure); None when they are more than `most`.
    """
    if abs(len(one) - len(other)) > most:
        return None
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, before, row = before, row, [i]
        for j, compared in enumerate(other, 1):
            cost = before[j - 1] + (letter != compared)
            cost = min(cost, before[j] + 1, row[j - 1] + 1)
            if i > 1 and j > 1 and letter == other[j - 2] and compared == one[i - 2]:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return None
    return row[-1] if row[-1] <= most else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`Did you mean :x?`, or nothing."""
    found = nearest(name, known)
    return f"Did you mean :{found}?" if found else ""


def shown(form: Form) -> str:
    """A form as a message quotes it."""
    text = write(form.value, most=SHOWN + 2)
    if form.kind is Kind.LIST:
        text = f"({text[1:-1]})"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def as_keyword(form: Form, otherwise: str) -> str:
    """How to write what stands as text or a symbol where a keyword is needed."""
    text = form.value.name if isinstance(form.value, Symbol) else form.value
    if isinstance(text, str) and not isinstance(text, Keyword) and text and " " not in text:
        return f"Write :{text}."
    return otherwise


def listed(names: Iterable[str]) -> str:
    """Names as a message lists them: `:a :b :c`."""
    return " ".join(f":{name}" for name in names)
