"""From a Python exception to an error that points at rows."""

from __future__ import annotations

from functools import partial

from graphden.errors import Cancelled, GraphdenError, RunError
from graphden.run.lines import frames_along, trails_of
from graphden.run.secrets import clean, clean_in

LONGEST = 10_000
"""Characters of a Python error's text that are kept."""


def as_run_error(error: BaseException) -> RunError:
    """`error` as a RunError that knows its row, place and trail; the cause stays attached."""
    found = error if isinstance(error, RunError) else _wrapped(error)
    _clean(found)
    if found.row is None:
        trails = trails_of(error)
        found.trail = partial(frames_along, trails)
        if trails:
            found.row = trails[-1].row
            found.span = trails[-1].span
    return found


def code_of(error: BaseException) -> str:
    """The code of an error, as `as_run_error` gives it."""
    match error:
        case GraphdenError() | Cancelled():
            return error.code
        case ZeroDivisionError():
            return "division-by-zero"
        case RecursionError():
            return "recursion-depth"
    return "base-function-error"


def _wrapped(error: BaseException) -> RunError:
    code = code_of(error)
    match error:
        case ZeroDivisionError():
            found = RunError(code, "division by zero")
        case RecursionError():
            found = RunError(
                code,
                "calls are nested too deeply",
                hint="Make the input smaller in each call, or use reduce or a loop.",
            )
        case GraphdenError():
            found = RunError(code, error.message, hint=error.hint)
        case _:
            text = _text(error)
            name = type(error).__name__
            found = RunError(code, f"{name}: {text}" if text else name)
    found.__cause__ = error
    return found


def _text(error: BaseException) -> str:
    """What an error says of itself, cut; an error that cannot say it is no reason to fail."""
    try:
        text = str(error)
    except Cancelled:
        raise
    except BaseException as trouble:  # noqa: BLE001 - a foreign __str__ may raise anything
        return f"(its text cannot be had: {type(trouble).__name__})"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… (cut)"


def _clean(error: RunError) -> None:
    """No secret stays in what the error says; a cause that tells one is let go."""
    cleaned = clean(error.message)
    if cleaned != error.message:
        error.message = cleaned
        error.args = (cleaned,)
    error.data = clean_in(error.data)
    if error.__cause__ is not None and clean(cause := _text(error.__cause__)) != cause:
        error.__cause__ = None
        error.__suppress_context__ = True
