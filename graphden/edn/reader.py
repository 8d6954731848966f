"""Reading: text in, forms and errors out."""

from __future__ import annotations

from graphden.edn.forms import Form
from graphden.errors import ReadError, Span

_BYTE_ORDER_MARK = "\ufeff"


def read(text: str, file: str) -> list[Form]:
    """All top-level forms of `text`; `file` is the name their spans carry.

    Raises ReadError, for the first flaw of the text.
    """
    forms, errors = read_all(text, file)
    if errors:
        raise errors[0]
    return forms


def read_all(text: str, file: str) -> tuple[list[Form], list[ReadError]]:
    """The top-level forms of `text`, and all that is wrong with it, in the order of the text.

    Never raises. Flaws inside a value (a bad number, a key that stands twice, an unknown tag)
    do not end reading: a bad scalar is read as the text it was written with, a bad tag as what
    follows it, and of equal keys the last one counts. A flaw of structure, such as an open
    bracket, ends it: then the forms are those before the one that holds the flaw.
    """
    from graphden.edn.grammar import MissingForm, new_scanner, parse

    scanner = new_scanner(text.removeprefix(_BYTE_ORDER_MARK), file)
    problems = scanner.problems
    while True:
        try:
            forms = parse(scanner)
            break
        except ReadError as error:
            end = error
        except MissingForm:
            end = scanner.missing_form()
        if problems is scanner.problems:
            problems = [*problems, end]
        # The sound forms before the flaw are worth having: read once more, up to there.
        scanner = new_scanner(scanner.text[: scanner.form_start], file)
    return forms, sorted(problems, key=_place)


def _place(problem: ReadError) -> Span:
    assert problem.span is not None  # every error of the reader has its place
    return problem.span
