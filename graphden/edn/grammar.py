"""The grammar: edn_format's productions, with actions that build forms.

The token rules (`edn_format.edn_lex`) and the productions (`edn_format.edn_parse`) are those of
edn_format; PLY makes a lexer and a parser of them, once per process, and writes no table files.
Only what a production yields is ours: a `Form` with its place where edn_format yields a bare
value. Each action takes its production from the function of the same name in `edn_parse`.
"""

from __future__ import annotations

import copy
import re
import threading
from collections import deque
from functools import cache
from types import SimpleNamespace
from typing import Any

import ply.lex
import ply.yacc
from edn_format import edn_lex, edn_parse

from graphden.edn.forms import Form, Kind
from graphden.edn.scalars import TAGS, Malformed
from graphden.edn.scanner import IllegalCharacter, Scanner
from graphden.edn.writer import write
from graphden.errors import Span


class MissingForm(Exception):  # noqa: N818 - caught by the reader, which makes a ReadError of it
    """The parser met the end, or a closing bracket, where a prefix needs a form."""


def parse(scanner: Scanner) -> list[Form]:
    """The top-level forms of the scanner's text. Raises ReadError, MissingForm."""
    return list(_parser().parse(lexer=scanner))


def new_lexer() -> Any:
    """A lexer of edn_format's tokens, for one text."""
    return _tools()[0].clone()


def _parser() -> Any:
    # PLY keeps the state of a parse on the parser, so each parse has its own; tables are shared.
    return copy.copy(_tools()[1])


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
    span = Span(end.file, *start, end.end_line, end.end_column)
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
        p[0] = Form(Kind.SCALAR, None, span)


def p_expression_metadata(p: Any) -> None:
    _, (line, column) = p[1]
    span = Span(p.lexer.file, line, column, line, column + 1)
    p.lexer.problem(span, "metadata (`^`) is not read here", "remove it, or keep it as data")
    p[0] = p[3]


def p_error(token: Any) -> None:
    raise MissingForm


def _t_error(token: Any) -> None:
    raise IllegalCharacter


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
    """Report the forms that Python holds for one: `:a` twice, `1` and `true`, `:a` and `"a"`."""
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


class _TokenRule:
    """A token rule of edn_format that leaves the token's text as it stands.

    PLY orders rules by the line of their code, so it is shown edn_format's.
    """

    def __init__(self, name: str, rule: Any) -> None:
        self.__name__ = name
        self.__code__ = rule.__code__
        self.regex = getattr(rule, "regex", rule.__doc__)

    def __call__(self, token: Any) -> Any:
        return token


_BUILDING = threading.Lock()


def _tools() -> tuple[Any, Any]:
    with _BUILDING:
        return _build()


@cache
def _build() -> tuple[Any, Any]:
    rules: dict[str, Any] = {}
    for name, rule in vars(edn_lex).items():
        if name.startswith("t_"):
            rules[name] = _TokenRule(name, rule) if callable(rule) else rule
    del rules["t_COMMENT"]
    rules |= {
        "t_ignore_COMMENT": r";[^\r\n]*",
        "t_ignore": " \t\n\r\f\v,",
        "t_error": _t_error,
        "tokens": edn_lex.tokens,
        "__file__": __file__,
    }
    quiet = ply.yacc.NullLogger()
    lexer = ply.lex.lex(SimpleNamespace(**rules), reflags=re.UNICODE, errorlog=quiet)

    actions: dict[str, Any] = {"tokens": edn_lex.tokens, "start": edn_parse.start}
    for name, action in list(globals().items()):
        if name.startswith("p_"):
            action.__doc__ = getattr(edn_parse, name).__doc__
            actions[name] = action
    parser = ply.yacc.yacc(
        module=SimpleNamespace(**actions, __file__=__file__),
        tabmodule="graphden.edn.no_tables",
        write_tables=False,
        debug=False,
        errorlog=quiet,
    )
    return lexer, parser
