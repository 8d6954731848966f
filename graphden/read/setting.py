"""One own binding of a row, changed in the text of its file; nothing else in it moves."""

from __future__ import annotations

from graphden.edn import Form, Keyword, Kind, Lines, read
from graphden.errors import ReadError, Span, UsageError

_BYTE_ORDER_MARK = "\ufeff"


def with_binding(text: str, row: Span, slot: str, binding: str) -> str:
    """The text of a file after the row at `row` binds `slot` to `binding`, an EDN form.

    A binding that the row has is replaced where it stands; else it is added as the last. Raises
    UsageError `bad-binding` when `binding` is not one form.
    """
    binding = _one_form(binding)
    [form] = [each for each in read(text, row.file) if each.span == row]
    place, what = _edit(form, slot, binding)
    bare = text.removeprefix(_BYTE_ORDER_MARK)
    lines = Lines(bare)
    start = lines.offset(place.line, place.column)
    end = lines.offset(place.end_line, place.end_column)
    return text[: len(text) - len(bare)] + bare[:start] + what + bare[end:]


def _one_form(binding: str) -> str:
    try:
        forms = read(binding, "<binding>")
    except ReadError as error:
        raise UsageError("bad-binding", f"the value is not EDN: {error.message}") from error
    if len(forms) != 1:
        raise UsageError(
            "bad-binding",
            f"a slot is bound to one form, and there are {len(forms)}",
            hint="Write it as in a file, quoted for the shell: '{\"a\" 1}', '\"text\"', :row.",
        )
    # What stands around the form, such as a comment, could swallow what follows it.
    span, lines = forms[0].span, Lines(binding.removeprefix(_BYTE_ORDER_MARK))
    start = lines.offset(span.line, span.column)
    end = lines.offset(span.end_line, span.end_column)
    return binding.removeprefix(_BYTE_ORDER_MARK)[start:end]


def _edit(row: Form, slot: str, binding: str) -> tuple[Span, str]:
    """The place to write at, empty where something is added, and what to write there."""
    arguments = _entry(row, "args")
    if arguments is None:
        return _last(row), f"{_gap(row)}:args {{:{slot} {binding}}}"
    found = _entry(arguments, slot)
    if found is None:
        return _last(arguments), f"{_gap(arguments)}:{slot} {binding}"
    return found.span, binding


def _entry(form: Form, name: str) -> Form | None:
    if form.kind is not Kind.MAP:
        return None
    for key, value in form.entries:
        if key.value == Keyword(name) or key.value == name:
            return value
    return None


def _gap(form: Form) -> str:
    return " " if form.entries else ""


def _last(form: Form) -> Span:
    """The place before a map's closing bracket."""
    span = form.span
    column = span.end_column - 1
    return Span(span.file, span.end_line, column, span.end_line, column)
