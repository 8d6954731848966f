r"""Regular expressions that cannot hang: how patterns of rows are read and used.

They are RE2's, whose time grows with the text and never explodes: `(a+)+$` on 50,000 characters
answers in under a millisecond, where Python's `re` needs years and cannot be interrupted. The
package `regex` has a time limit instead, but then an answer depends on the machine. The price
is what no such machine can do, look-around and backreferences, refused here with a hint; and
`\d`, `\w`, `\s` and `\b` know ASCII only (`\p{L}` and its like know all of Unicode).
A search of a short text takes about 2 µs, some four times as long as with `re`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_KEPT = 128
"""Compiled patterns that are kept; each may hold up to 8 MB, few hold more than some KB."""

_NO_LOOKING = "RE2 knows no look-around; match what is around as well, or search twice."
_NO_BACKREFERENCE = "RE2 knows no backreferences; capture both parts and compare them."
_BY_NUMBER = "A character by its number is written \\x{e9}."
_HINTS = (
    ("operator: (?=", _NO_LOOKING),
    ("operator: (?!", _NO_LOOKING),
    ("operator: (?<", _NO_LOOKING),
    ("operator: (?P", _NO_BACKREFERENCE),
    ("operator: (?>", "RE2 never goes back, so it has no atomic groups; write (?:…)."),
    ("perl operator", "The flags are i, m, s and U, as in (?i); there are no others."),
    ("bad repetition", "One repetition follows a part, and RE2 has no possessive ones."),
    ("repetition size", "A part is repeated at most 1,000 times, nested ones multiplied."),
    ("too large", "Repeat smaller parts, or less often."),
    ("sequence: \\Z", "The end of the text is written \\z."),
    ("sequence: \\u", _BY_NUMBER),
    ("sequence: \\U", _BY_NUMBER),
    ("sequence: \\N", _BY_NUMBER),
    *((f"sequence: \\{digit}", _NO_BACKREFERENCE) for digit in range(1, 10)),
)
_SYNTAX = "Patterns are regular expressions in the syntax of RE2."


class PatternProblem(ValueError):  # noqa: N818 - beside JsonProblem
    """Text that is no pattern: `message` says what is wrong, `hint` what to write instead."""

    def __init__(self, message: str, hint: str) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A compiled pattern; made by `compile_pattern`, safe to share between threads."""

    # Any: the types of re2, which has no stubs.
    _plain: Any
    _capturing: Any

    def found_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in `text`."""
        # Bytes, as re2 would otherwise count code points up to the match; half a surrogate
        # pair is matched by nothing.
        return self._plain.search(text.encode("utf-8", "surrogatepass")) is not None

    def matches(self, text: str) -> Iterator[Any]:
        """The matches in `text` from the left, none overlapping, as match objects like those of
        `re`. Each takes time in proportion to what is left of the text. Raises
        UnicodeEncodeError for half of a surrogate pair.
        """
        before = None
        for match in self._capturing.finditer(text):
            # re2 gives an empty match twice when it did not begin to search at its place.
            if match.span() != before:
                before = match.span()
                yield match

    @property
    def groups(self) -> int:
        """How many groups there are beside the whole match, which is group 0."""
        return int(self._capturing.groups)

    @property
    def group_numbers(self) -> dict[str, int]:
        """The numbers of the groups that have a name."""
        return dict(self._capturing.groupindex)


@lru_cache(_KEPT)
def compile_pattern(pattern: str) -> Pattern:
    """The pattern that `pattern` writes, compiled once. Raises PatternProblem."""
    import re2

    options, plain = re2.Options(), re2.Options()
    options.log_errors = plain.log_errors = False
    plain.never_capture = True  # a search that only answers yes or no
    try:
        return Pattern(re2.compile(pattern, plain), re2.compile(pattern, options))
    except re2.error as error:
        reason = error.args[0] if error.args else b""
        shown = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise PatternProblem(shown, _hint(shown)) from None
    except UnicodeEncodeError:
        raise PatternProblem("it has half of a surrogate pair", _SYNTAX) from None


def _hint(reason: str) -> str:
    return next((hint for part, hint in _HINTS if part in reason), _SYNTAX)
