"""Which layout a collection has when it does not fit on one line: by what it holds and where
it stands.
"""

from __future__ import annotations

from enum import StrEnum

from graphden.edn.layout_tokens import DISCARD, MAP, OPENERS, VECTOR, Item, Tokens


class Place(StrEnum):
    """Where an expression stands."""

    FILE = "file"
    """Among the rows of a file."""
    FIELDS = "fields"
    """Behind `:args` or `:type`."""
    BINDING = "binding"
    """Behind a slot, a field or any other key of a row."""
    CLAUSES = "clauses"
    """In the vector behind `:clauses`: tests or candidates, each with its result."""
    DATA = "data"
    """In a literal."""


class Style(StrEnum):
    """How a collection is laid out when it takes several lines."""

    ROWS = "rows"
    """One item a line, blank lines kept; neighbours with the same keys are a table."""
    ENTRIES = "entries"
    """One item a line."""
    TABLE = "table"
    """One entry a line, the values in one column."""
    PAIRS = "pairs"
    """One pair a line, or what does not fit on two, the second one set in."""
    FILLED = "filled"
    """As many items a line as fit."""


DESCRIPTION = ":description"
_PARENTS = {":parent", ":parents"}
_FORMS = {":as", ":ref", ":value", ":type", ":append", ":closed", ":required", ":terminal"}
"""Keys of the maps that bind or declare a slot (LANGUAGE 2.2, 4.2)."""


def style_of(tokens: Tokens, opener: int, place: Place) -> Style:
    """The style of the collection that starts at the token `opener`."""
    if tokens.kinds[opener] == MAP:
        return _style_of_map(set(tokens.keys(opener)), place)
    if is_vector_of_rows(tokens, opener, place):
        return Style.ROWS
    if place is Place.CLAUSES:
        return Style.PAIRS
    nested = OPENERS | {DISCARD}
    inside = tokens.expressions(opener + 1, tokens.ends[opener] - 1)
    scalars = all(tokens.kinds[part] not in nested for part in inside)
    return Style.FILLED if scalars else Style.ENTRIES


def _style_of_map(keys: set[str], place: Place) -> Style:
    match place:
        case Place.FILE:
            return Style.ENTRIES
        case Place.FIELDS | Place.DATA:
            return Style.TABLE
    if keys & _PARENTS:
        return Style.ENTRIES
    return Style.FILLED if keys & _FORMS else Style.TABLE


def is_vector_of_rows(tokens: Tokens, opener: int, place: Place) -> bool:
    """Is it the vector that a file may hold its rows in (LANGUAGE 1.1)?"""
    is_vector = tokens.kinds[opener] == VECTOR
    return place is Place.FILE and is_vector and tokens.kinds[opener + 1] == MAP


def place_inside(tokens: Tokens, item: Item, place: Place, style: Style) -> Place:
    """Where the parts of an item stand, in a collection of that place and style."""
    if place is Place.DATA:
        return Place.DATA
    key = tokens.key(item)
    match style:
        case Style.ROWS:
            return Place.FILE
        case Style.PAIRS:
            return Place.BINDING
        case Style.TABLE if place is Place.FIELDS:
            clauses = key == ":clauses" and tokens.kinds[item[-1]] == VECTOR
            return Place.CLAUSES if clauses else Place.BINDING
        case Style.TABLE:
            return Place.DATA
    match key:
        case ":args" | ":type":
            return Place.FIELDS
        case ":value":
            return Place.DATA
    return Place.BINDING
