"""From a Python exception to an error that points at rows."""

from __future__ import annotations

from graphden.errors import RunError


def as_run_error(error: BaseException) -> RunError:
    """`error` as a RunError that knows its row, place and trail; the cause stays attached."""
    if isinstance(error, RunError):
        return error
    match error:
        case ZeroDivisionError():
            code, message = "division-by-zero", "division by zero"
        case RecursionError():
            code, message = "recursion-depth", "calls are nested too deeply"
        case _:
            text = str(error)
            name = type(error).__name__
            code, message = "base-function-error", f"{name}: {text}" if text else name
    found = RunError(code, message)
    found.__cause__ = error
    return found
