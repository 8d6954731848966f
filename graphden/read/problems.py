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
COMPARISONS = 50_000  # of names in one check, about a second
LISTED = 40  # names that a sentence lists
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


class Spelling:
    """Finds what the misspelt names of one check were probably meant to be, until some
    `COMPARISONS` with known names were made, however many are misspelt.
    """

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = COMPARISONS

    def nearest(self, name: str, known: Iterable[str], *, wrong: float = CLOSE) -> str | None:
        """The known name that `name` was probably meant to be: at most the part `wrong` of the
        letters of the longer one differ. Of several as near, one with the same first letter.
        Else what it means in other languages. None once there were too many comparisons.
        """
        if len(name) > LONGEST or self._left <= 0:
            return None
        names = [each for each in known if len(each) <= LONGEST]
        if (meant := OTHER_WORDS.get(name)) in names:
            return meant
        near = [(other, most) for other in names if (most := _most(name, other, wrong)) >= 0]
        self._left -= len(near)
        best: tuple[int, bool, str] | None = None
        for other, most in near:
            distance = _distance(name, other, most if best is None else min(most, best[0]))
            if distance is not None:
                found = (distance, name[:1] != other[:1], other)
                best = found if best is None else min(best, found)
        return None if best is None else best[2]

    def did_you_mean(self, name: str, known: Iterable[str]) -> str:
        """As `nearest`: `Did you mean :x?`, or nothing."""
        found = self.nearest(name, known)
        return f"Did you mean :{found}?" if found else ""


def nearest(name: str, known: Iterable[str], *, wrong: float = CLOSE) -> str | None:
    """The known name that `name` was probably meant to be, as `Spelling` finds it."""
    return Spelling().nearest(name, known, wrong=wrong)


def _most(name: str, other: str, wrong: float) -> int:
    """How many letters may be wrong; negative where the lengths alone differ by more."""
    most = int(wrong * max(len(name), len(other)))
    return most if abs(len(name) - len(other)) <= most else -1


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
    return Spelling().did_you_mean(name, known)


def with_slash(name: str) -> str:
    """`orders.api/worker` for `orders.api.worker`, as one writes the row `worker` in full."""
    namespace, dot, simple = name.rpartition(".")
    return f"{namespace}/{simple}" if dot and "/" not in name else name


def first_of(names: Iterable[str]) -> str:
    """Names as a sentence lists them, the first `LISTED` of them."""
    given = list(names)
    more = f" and {len(given) - LISTED:,} more" if len(given) > LISTED else ""
    return ", ".join(f":{name}" for name in given[:LISTED]) + more


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
