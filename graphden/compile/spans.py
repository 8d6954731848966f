"""Which variant of a row's code is written."""

from __future__ import annotations

from typing import NamedTuple


class Variant(NamedTuple):
    """How a row is written. With `checks`, the code looks where LANGUAGE 7.5 says so whether
    the run should end.
    """

    checks: bool = True


PLAIN = Variant(checks=False)
CHECKED = Variant()
