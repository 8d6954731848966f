"""Lone surrogates: halves of UTF-16 pairs that Python text can hold and no encoding carries."""

from __future__ import annotations

import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def holds_surrogate(text: str) -> bool:
    """Does `text` hold a lone surrogate?"""
    return not text.isascii() and _LONE_SURROGATE.search(text) is not None
