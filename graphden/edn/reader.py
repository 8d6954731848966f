"""Reading: text in, forms and errors out."""

from __future__ import annotations

from graphden.edn.forms import Form
from graphden.errors import ReadError

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
    """The top-level forms of `text`, and everything that is wrong with it, in the order of the text.

    Flaws inside a value (a bad number, a key that stands twice, an unknown tag) do not end
    reading: a bad scalar is read as the text it was written with, an unknown tag as what follows it, and of equal keys the
    last one counts. A flaw of structure, such as an open bracket, does: then the forms are those
    before the one that holds it.
    """
    from graphden.edn.grammar import MissingForm, new_lexer, parse
    from graphden.edn.scanner import Scanner

    text = text.removeprefix(_BYTE_ORDER_MARK)
    problems: list[ReadError] = []
    forms: list[Form] = []
    while True:
        scanner = Scanner(text, file, new_lexer())
        try:
            forms = parse(scanner)
        except ReadError as error:
            flaw = error
        except MissingForm:
            flaw = scanner.missing_form()
        else:
            problems = problems or scanner.problems
            break
        problems = problems or [*scanner.problems, flaw]
        text = text[: scanner.form_start]  # the sound forms before the flaw are worth having
    return forms, sorted(problems, key=lambda problem: problem.span)
