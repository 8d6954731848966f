"""The grammar: edn_format's productions, with actions that build forms.

The token rules (`edn_format.edn_lex`) and the productions (`edn_format.edn_parse`) are those of
edn_format; PLY makes a lexer and a parser of them, once per process, and writes no table files.
Only what a production yields is ours: a `Form` with its place where edn_format yields a bare
value. Each action takes its production from the function of the same name in `edn_parse`.
"""

from __future__ import annotations

import copy
from collections import deque
from functools import cache
from types import SimpleNamespace
from typing import Any

import ply.yacc
from edn_format import edn_lex, edn_parse

from graphden.edn.forms import Form, Kind
from graphden.edn.scalars import TAGS, Malformed
from graphden.edn.scanner import Scanner
from graphden.edn.tokens import build_lexer
from graphden.edn.writer import write
from graphden.errors import Span


class MissingForm(Exception):  # noqa: N818 - caught by the reader, which makes a ReadError of it
    """The parser met the end, or a closing bracket, where a prefix needs a form."""


def new_scanner(text: str, file: str) -> Scanner:
    """The scanner of `text`, for one parse."""
    lexer, _ = _built()
    return Scanner(text, file, lexer.clone())


def parse(scanner: Scanner) -> list[Form]:
    """The top-level forms of the scanner's text. Raises ReadError, MissingForm."""
    _, parser = _built()
    # PLY keeps the state of a parse on the parser: a copy for each parse, sharing the tables.
    return list(copy.copy(parser).parse(lexer=scanner))


def p_term_leaf(p: Any) -> None:
    p[0] = p[1]


def p_vector(p: Any) -> None:
    items = tuple(p[2])
    p[0] = Form(Kind.VECTOR, [item.value for item in items], _span(p, 1, 3), items)


def p_list(p: Any) -> None:
    items = tuple(p[2])
    p[0] = Form(Kind.LIST, [item.value for item in items], _span(p, 1, 3), items)


def p_set(p: Any) -> None:
    items = tuple(p[2])
    members = _hashable(p.lexer, items, "member of a set")
    value = frozenset(member.value for member in members)
    if len(value) < len(members):
        _report_equals(p.lexer, members, "member", "set")
    p[0] = Form(Kind.SET, value, _span(p, 1, 3), items)


def p_simple_map(p: Any) -> None:
    forms = tuple(p[2])
    entries = tuple(zip(forms[::2], forms[1::2], strict=False))
    keys = _hashable(p.lexer, forms[::2], "key of a map")
    value = {key.value: item.value for key, item in entries if key.kind is Kind.SCALAR}
    if len(forms) % 2:
        _report_odd(p.lexer, forms[-1])
        keys = keys[:-1] if forms[-1].kind is Kind.SCALAR else keys
    if len(value) < len(keys):
        _report_equals(p.lexer, keys, "key", "map")
    p[0] = Form(Kind.MAP, value, _span(p, 1, 3), (), entries)


def p_map(p: Any) -> None:
    p[0] = p[1]


def p_map_with_namespace_tag(p: Any) -> None:
    name, (line, column) = p[1]
    span = Span(p.lexer.file, line, column, line, column + len(name) + 1)
    p.lexer.problem(
        span, f"`#{name}` in front of a map is not read here", "write its keys in full"
    )
    p[0] = p[2]


def p_discarded_expressions(p: Any) -> None:
    p[0] = deque()


def p_expressions_expression_expressions(p: Any) -> None:
    p[2].appendleft(p[1])
    p[0] = p[2]


def p_expressions_empty(p: Any) -> None:
    p[0] = deque()


def p_expression(p: Any) -> None:
    p[0] = p[1]


def p_expression_discard_expression_expression(p: Any) -> None:
    p[0] = p[3]


def p_expression_tagged_element(p: Any) -> None:
    (tag, start), form = p[1], p[2]
    end = form.span
    span = Span(end.file, start[0], start[1], end.end_line, end.end_column)
    make = TAGS.get(tag)
    if make is None:
        line, column = start
        place = Span(end.file, line, column, line, column + len(tag) + 1)
        p.lexer.problem(place, f"unknown tag `#{tag}`", "the tags are #inst and #uuid")
        p[0] = form
        return
    try:
        p[0] = Form(Kind.SCALAR, make(form.value), span)
    except Malformed as flaw:
        p.lexer.problem(span, flaw.message, flaw.hint)
        p[0] = form


def p_expression_metadata(p: Any) -> None:
    _, (line, column) = p[1]
    span = Span(p.lexer.file, line, column, line, column + 1)
    p.lexer.problem(span, "metadata (`^`) is not read here", "remove it, or keep it as data")
    p[0] = p[3]


def p_error(_: Any) -> None:
    raise MissingForm


def _span(p: Any, first: int, last: int) -> Span:
    return Span(p.lexer.file, *p[first], *p[last])


def _hashable(scanner: Scanner, forms: tuple[Form, ...], role: str) -> list[Form]:
    """The scalars among `forms`; the others are reported."""
    scalars = [form for form in forms if form.kind is Kind.SCALAR]
    if len(scalars) < len(forms):
        for form in forms:
            if form.kind is not Kind.SCALAR:
                message = f"a {form.kind} cannot be a {role}"
                scanner.problem(form.span, message, "use text, a keyword or another scalar")
    return scalars


def _report_odd(scanner: Scanner, key: Form) -> None:
    shown = write(key.value, lossy=True) if key.kind is Kind.SCALAR else f"a {key.kind}"
    hint = "a map holds keys and values in turn; look whether one was left out before"
    scanner.problem(key.span, f"the key {shown} has no value", hint)


def _report_equals(scanner: Scanner, forms: list[Form], role: str, whole: str) -> None:
    """Report forms that are one to Python: `:a` twice, `1` and `true`, `:a` and `"a"`."""
    first: dict[object, Form] = {}
    for form in forms:
        earlier = first.setdefault(form.value, form)
        if earlier is form:
            continue
        here, there = write(form.value, lossy=True), write(earlier.value, lossy=True)
        if here == there:
            message, hint = f"the {role} {here} stands twice in this {whole}", "remove one"
        else:
            message = f"the {role}s {there} and {here} are one and the same in this {whole}"
            hint = "remove one; text and keyword, 1 and 1.0 and true are one key in Python"
        scanner.problem(form.span, message, hint, (("first here", earlier.span),))


@cache
def _built() -> tuple[Any, Any]:
    """The lexer and the parser. Two threads may build twice at first; either pair serves."""
    actions: dict[str, Any] = {
        name: action for name, action in globals().items() if name.startswith("p_")
    }
    for name, action in actions.items():
        action.__doc__ = getattr(edn_parse, name).__doc__
    actions |= {"tokens": edn_lex.tokens, "start": edn_parse.start, "__file__": __file__}
    parser = ply.yacc.yacc(
        module=SimpleNamespace(**actions),
        tabmodule="graphden.edn.no_tables",  # there is none: no foreign table is picked up
        write_tables=False,
        debug=False,
        errorlog=ply.yacc.NullLogger(),
    )
    return build_lexer(), parser
