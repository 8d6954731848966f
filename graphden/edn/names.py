"""What counts as the name of a keyword or a symbol.

The lexer is generous (`::x`, `a:`, `@a`, `.5` pass it); these rules are the strict ones, and
the writer refuses whatever they refuse, so that all written text can be read.
"""

from __future__ import annotations

import re

_PART = r"[\w.*+!\-?$%&=:#<>]+"
_NAME = rf"(?![:#]){_PART}(?:/{_PART})?(?<![:#])"
_KEYWORD = re.compile(_NAME)
_SYMBOL = re.compile(rf"/|(?![-+]?\.?\d){_NAME}")
_RESERVED = frozenset({"nil", "true", "false"})


def is_keyword_name(text: str) -> bool:
    """Can `text` follow the colon of a keyword?"""
    return _KEYWORD.fullmatch(text) is not None


def is_symbol_name(text: str) -> bool:
    """Can `text` stand as a symbol?"""
    return text not in _RESERVED and _SYMBOL.fullmatch(text) is not None
