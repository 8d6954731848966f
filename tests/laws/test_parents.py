"""What is bound by several parents is as if one row had bound it (LANGUAGE 3.2, 3.4)."""

from __future__ import annotations

from random import Random

from hypothesis import event, given
from hypothesis import strategies as st

from graphden import Graph
from graphden.edn import Keyword
from tests.laws.drawing import Row, data, name_of, parsed, randoms, seen, text_of
from tests.oracle.making import Made
from tests.oracle.programs import BASES, program

drawn = st.builds(program, st.integers(0, 2**32), st.integers(4, 10))
ARGS, PARENT, PARENTS, NAME = map(Keyword, ("args", "parent", "parents", "name"))


def split(rows: tuple[Made, ...], random: Random) -> tuple[list[Row], int]:
    """The rows, those that bind several own slots made of two parents that bind some each; and
    how many those are.

    Names that references have free are left alone: what feeds a reference must stand on its own
    chain to decide what a callable receives (6.2). Renames come first, in a row above both.
    """
    known = dict(BASES)
    made: list[Row] = []
    count = 0
    for row in rows:
        written = data(row)
        arguments = written[ARGS]
        parent = written[PARENT]
        assert isinstance(arguments, dict)
        assert isinstance(parent, Keyword)
        own = known[parent.text].slots
        known[row.name] = row
        renames = {k: v for k, v in arguments.items() if isinstance(v, dict) and "as" in v}
        rest = {k: v for k, v in arguments.items() if k not in renames}
        parts = divided(rest, random)
        if parts is None or not set(arguments) <= set(own):
            made.append(written)
            continue
        above, left, right = (Keyword(f"{row.name}-{part}") for part in ("above", "l", "r"))
        ways = joins(above, left, right)
        made += [
            {NAME: above, PARENT: parent, ARGS: renames},
            {NAME: left, PARENT: above, ARGS: parts[0]},
            {NAME: right, PARENT: above, ARGS: parts[1]},
            {NAME: written[NAME], PARENTS: random.choice(ways[:3] if parts[2] else ways)},
        ]
        count += 1
    return made, count


def divided(arguments: Row, random: Random) -> tuple[Row, Row, bool] | None:
    """Bindings in two parts that say the same together, and whether their order counts."""
    lists = [k for k, v in arguments.items() if isinstance(v, list) and len(v) > 1]
    if lists:
        key = random.choice(lists)
        items = arguments[key]
        assert isinstance(items, list)
        at = random.randint(1, len(items) - 1)
        rest = {k: v for k, v in arguments.items() if k != key}
        return {**rest, key: items[:at]}, {key: items[at:]}, True
    if len(arguments) < 2:
        return None
    pairs = random.sample(sorted(arguments.items()), len(arguments))
    at = random.randint(1, len(pairs) - 1)
    return dict(pairs[:at]), dict(pairs[at:]), False


def joins(above: Keyword, left: Keyword, right: Keyword) -> list[list[Keyword]]:
    """Ways to name parents that mean the same: in any order, their ancestor among them."""
    return [
        [left, right],
        [left, right, left],
        [above, left, right],
        [right, left],
        [right, above, left],
    ]


@given(drawn, randoms)
def test_two_parents_that_bind_some_each_are_as_one_that_binds_all(
    rows: tuple[Made, ...], random: Random
) -> None:
    made, count = split(rows, random)
    one, other = parsed("\n".join(row.text for row in rows)), parsed(text_of(made))
    assert isinstance(one, Graph)
    assert isinstance(other, Graph), other
    event(f"{min(count, 4)} rows of two parents")
    for row in rows:
        seed = random.randrange(2**32)
        assert set_of(seen(one, row.name, seed)) == set_of(seen(other, row.name, seed))


@given(drawn, randoms)
def test_a_row_beside_its_own_ancestor_is_alone(rows: tuple[Made, ...], random: Random) -> None:
    """What it binds hides what its ancestor binds, however often that is named."""
    whole = [data(row) for row in rows]
    more: list[Row] = []
    for row in whole:
        parent = row[PARENT]
        below = Keyword(f"{name_of(row)}-again")
        more.append({NAME: below, PARENTS: random.choice(beside(row, parent))})
    one, other = parsed(text_of(whole)), parsed(text_of(whole + more))
    assert isinstance(one, Graph)
    assert isinstance(other, Graph), other
    for row in rows:
        seed = random.randrange(2**32)
        found = seen(one, row.name, seed)
        assert set_of(seen(other, f"{row.name}-again", seed)) == set_of(found)


def beside(row: Row, parent: object) -> list[list[object]]:
    """Its parent among them, unless a slot would come under two names (3.2)."""
    arguments = row[ARGS]
    assert isinstance(arguments, dict)
    alone: list[list[object]] = [[row[NAME], row[NAME]], [row[NAME]]]
    if any(isinstance(v, dict) and v.get("as", k) != k for k, v in arguments.items()):
        return alone
    return [[row[NAME], parent], [parent, row[NAME]], *alone]


def set_of(found: tuple[object, ...]) -> tuple[object, ...]:
    """What was seen, the order of arguments left out."""
    interface, *rest = found
    assert isinstance(interface, list)
    return sorted(interface, key=str), rest
