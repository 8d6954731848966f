"""The tokens of EDN: edn_format's rules, and which of them may stand side by side.

The rules are those of `edn_format.edn_lex`; PLY makes a lexer of them. Three things differ: a
token keeps its text (`scalars` makes values of it), carriage return, form feed and vertical tab
are whitespace, and a comment ends at a carriage return too.
"""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, NoReturn

import ply.lex
import ply.yacc
from edn_format import edn_lex

CLOSER_OF = {"[": "]", "(": ")", "{": "}", "#{": "}"}
CLOSERS = frozenset({"VECTOR_END", "LIST_END", "MAP_OR_SET_END"})
PREFIXES = frozenset({"TAG", "DISCARD_TAG", "MAP_NAMESPACE_TAG", "CARET"})
WORDS = {
    "INTEGER": "number",
    "HEX_INTEGER": "number",
    "FLOAT": "number",
    "RATIO": "number",
    "SYMBOLIC_VALUE": "number",
    "CHAR": "character",
    "WHITESPACE": "character",  # \newline, \space, \tab and \return
    "KEYWORD": "keyword",
    "SYMBOL": "symbol",
}
"""Tokens that end where a space, a bracket or a quote stands, and what people call them."""

_AFTER_A_WORD = frozenset({*WORDS, *PREFIXES, "SET_START"})
_MUST_NOT_TOUCH: dict[str, frozenset[str]] = {
    **dict.fromkeys(WORDS, _AFTER_A_WORD),
    "SYMBOL": _AFTER_A_WORD | {"STRING"},
    "STRING": frozenset({"STRING", "SYMBOL"}),
    "TAG": frozenset({*WORDS, *PREFIXES}),
}


class IllegalCharacter(Exception):  # noqa: N818 - the scanner makes a ReadError of it
    """The lexer stands before a character that starts no token."""


def must_not_touch(kind: str, next_kind: str) -> bool:
    """Must there be something between a token of `kind` and one of `next_kind`?

    A text may touch numbers, keywords and brackets, but not another text or a symbol: `"a"b"`
    is nearly always a quote that wanted a backslash.
    """
    return next_kind in _MUST_NOT_TOUCH.get(kind, ())


class _Rule:
    """A rule of edn_format that leaves a token's text as it stands.

    PLY orders rules by the line their code starts at, so `__code__` is the original's.
    """

    def __init__(self, name: str, rule: Any) -> None:
        self.__name__ = name
        self.__code__ = rule.__code__
        self.regex = getattr(rule, "regex", rule.__doc__)

    def __call__(self, token: Any) -> Any:
        return token


def _stop(_: Any) -> NoReturn:
    raise IllegalCharacter


def build_lexer() -> Any:
    """A PLY lexer, to be cloned for each text."""
    rules: dict[str, Any] = {
        name: _Rule(name, rule) if callable(rule) else rule
        for name, rule in vars(edn_lex).items()
        if name.startswith("t_") and name != "t_COMMENT"
    }
    rules |= {
        "t_ignore_COMMENT": r";[^\r\n]*",
        "t_ignore": " \t\n\r\f\v,",
        "t_error": _stop,
        "tokens": edn_lex.tokens,
        "__file__": __file__,
    }
    return ply.lex.lex(
        module=SimpleNamespace(**rules), reflags=re.UNICODE, errorlog=ply.yacc.NullLogger()
    )
