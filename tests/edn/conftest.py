"""Strategies for EDN values, shared by the laws of this folder."""

from __future__ import annotations

from datetime import timedelta, timezone
from string import ascii_letters, digits

import pytest
from hypothesis import strategies as st

from graphden.edn import Keyword, Symbol

_name = st.text(ascii_letters + digits + "_-.?!*+<>=$%&é漢", min_size=1, max_size=8)
_full_name = st.one_of(_name, st.builds("{}/{}".format, _name, _name))
_zones = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False),
    _text,
    st.uuids(),
    st.datetimes(timezones=_zones),
    _full_name.map(Keyword),
    _full_name.map("s{}".format).map(Symbol),
)
_values = st.recursive(
    st.one_of(_scalars, st.frozensets(_scalars, max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(_scalars, inner, max_size=4)
    ),
    max_leaves=12,
)
_json_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12),
)
_json_values = st.recursive(
    _json_scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(_text.filter(str.isprintable), inner)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="session")
def values() -> st.SearchStrategy[object]:
    """Every value that EDN text can say."""
    return _values


@pytest.fixture(scope="session")
def json_values() -> st.SearchStrategy[object]:
    """Every value that JSON gives back as it went, and queues store."""
    return _json_values
