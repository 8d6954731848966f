"""How large a text may become: parts that a value shares are written each time, so that a
value of forty small lists can stand for a text that no disk holds.
"""

from __future__ import annotations

from graphden.errors import GraphdenError

MOST_CHARACTERS = 100_000_000
MOST_VALUES = 10_000_000
MOST_LEVELS = 1_000_000

_HINT = "What a value holds twice is written twice. Take what is needed out of the value first."


class TooLong(GraphdenError):  # noqa: N818 - what is wrong, as JsonProblem beside it
    """A value whose EDN text would pass the most characters, values or levels."""

    def __init__(self, much: str) -> None:
        super().__init__(
            "invalid-argument", f"the text of the value would have more than {much}", hint=_HINT
        )


def check(left: int, values: int, levels: int = 0) -> None:
    """Raise TooLong unless characters are left, and so many values and levels are allowed."""
    if left < 0:
        raise too_many_characters()
    if values > MOST_VALUES:
        raise TooLong(f"{MOST_VALUES:,} values in it")
    if levels > MOST_LEVELS:
        raise TooLong(f"{MOST_LEVELS:,} levels")


def too_many_characters() -> TooLong:
    """The error for a text beyond the most characters."""
    return TooLong(f"{MOST_CHARACTERS:,} characters")
