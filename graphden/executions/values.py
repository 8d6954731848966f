"""Values as they are recorded: exact EDN text without secrets, cut where it is too long."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from graphden.edn import Keyword, read, write
from graphden.errors import Frame, GraphdenError, ReadError, RunError
from graphden.executions.model import Failure
from graphden.run import secrets

MOST_ARGUMENTS: Final = 256 * 1024
"""Bytes of the text of all arguments together."""
MOST_RESULT: Final = 5 * 1024 * 1024
"""Bytes of the text of a result."""
MOST_ERROR: Final = 4 * 1024
"""Bytes of each text of an error."""
MOST_FRAMES: Final = 50
"""Of a longer trail, the last so many rows are kept."""
CUT_MARK: Final = "… [cut]"

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def recorded(value: object, most: int) -> tuple[str, bool]:
    """The text that stands for a value, and whether it was cut.

    EDN that reads back to an equal value; what EDN cannot say, such as a function, is described
    as `#<type>`. Noted secrets are hidden.
    """
    try:
        text = write(secrets.clean_in(value), lossy=True)
    except GraphdenError as error:  # beyond what any text may hold
        return f"#<{error.message}>", True
    return storable(text, most)


def storable(text: str, most: int) -> tuple[str, bool]:
    """`text` as every database holds it, at most `most` bytes, and whether it was cut."""
    clean = _UNSTORABLE.sub("\ufffd", text)
    if len(clean) <= most // 4 or len(encoded := clean.encode()) <= most:
        return clean, False
    kept = encoded[: most - len(CUT_MARK.encode())].decode("utf-8", "ignore")
    return kept + CUT_MARK, True


def arguments_text(arguments: dict[str, object]) -> tuple[str, bool]:
    """The recorded text of arguments by name: a map with keyword keys."""
    return recorded({Keyword(name): value for name, value in arguments.items()}, MOST_ARGUMENTS)


def value_of(text: str) -> object:
    """The value that a recorded text stands for. Raises ValueError when it is no such text."""
    try:
        [form] = read(text, "<recorded>")
    except (ReadError, ValueError):
        raise ValueError(text[:100]) from None
    return form.value


def error_text(error: RunError) -> tuple[str, bool]:
    """The recorded text of an error, as JSON, and whether a part of it was cut."""
    frames = error.trail[-MOST_FRAMES:]
    texts = {
        "code": error.code,
        "message": secrets.clean(error.message),
        "row": error.row,
        "place": None if error.span is None else str(error.span),
        "hint": secrets.clean(error.hint),
    }
    kept: dict[str, object] = {}
    cut = len(error.trail) > MOST_FRAMES
    for name, text in texts.items():
        kept[name], was_cut = (None, False) if text is None else storable(text, MOST_ERROR)
        cut = cut or was_cut
    kept["trail"] = [_frame(frame) for frame in frames]
    return json.dumps(kept), cut


def _frame(frame: Frame) -> list[str | None]:
    place = None if frame.span is None else str(frame.span)
    return [_UNSTORABLE.sub("\ufffd", frame.row), place and _UNSTORABLE.sub("\ufffd", place)]


def failure_of(error: dict[str, object]) -> Failure:
    """The failure that a recorded error tells of; those of handlings say `type` for code."""
    trail = error.get("trail")
    frames: Iterable[object] = trail if isinstance(trail, list) else ()
    return Failure(
        code=str(error.get("code") or error.get("type") or "unknown"),
        message=str(error.get("message") or ""),
        row=_text(error.get("row")),
        place=_text(error.get("place")),
        hint=str(error.get("hint") or ""),
        trail=tuple((str(f[0]), _text(f[1])) for f in frames if isinstance(f, list)),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)
