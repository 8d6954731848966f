"""Whatever comes into the slots of a base function, a value comes out, or a RunError with a
documented code: never a Python error that says nothing to the author of rows (LANGUAGE 9.2).

Each function is run through the engine, as rows run it, with values of the types of its slots
and with any others: those that EDN can write, what arithmetic can make of them, and cells,
errors and callables.
"""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphden
from graphden.edn import Keyword, Symbol, read
from graphden.errors import RunError
from graphden.run import Context, Resources
from graphden.stdlib import package
from graphden.stdlib.cells import Cell

# LANGUAGE 9.3, at run time; and what the standard library adds.
CODES = {
    "argument-type",
    "assertion-failed",
    "contract-violation",
    "core.control/deadlock",
    "division-by-zero",
    "invalid-argument",
    "malformed-json",
    "recursion-depth",
    "thrown",
}

FUNCTIONS = {
    row.get("name").value.text: row
    for path in sorted(Path(package.rows).glob("*.edn"))
    for row in read(path.read_text("utf-8"), path.name)[1:]
    if package.functions.get(row.get("name").value.text)
}


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


INTS = [0, 1, -1, 2, 7, 10**9, -(2**63), 2**64, 10**30, -(10**400)]
FLOATS = [0.0, -0.0, 0.5, -1e308, 5e-324, 1e22, float("inf"), float("-inf"), float("nan")]
DECIMALS = [
    Decimal(text) for text in ("0", "-0.0", "1.50", "9" * 40, "1E+999999", "-1E-999999")
]
PATTERNS = [
    "(a+)+$",
    "(",
    "[",
    r"\1",
    r"\g<a>",
    "(?=a)",
    "%",
    "{}",
    "\0",
    "\ud800",
    "1" * 5_000,
]
CRONS = ["* * * * *", "0 0 30 2 *", "99999 * * * *", "*/0 * * * *", "1-5,7 * * jan mon"]
JSONS = ["[1, 1e400]", '{"a": 1}', '"\\ud800"', "[" * 3_000, "NaN", "1" * 5_000]

# Made when it is drawn: such an int has no repr.
huge = st.builds(pow, st.just(10), st.just(5_000))
ints = st.sampled_from(INTS) | st.integers(-5, 20) | huge
numbers = ints | st.sampled_from(FLOATS) | st.sampled_from(DECIMALS) | st.floats(-9, 9)
texts = st.text(max_size=8) | st.sampled_from([*PATTERNS, *CRONS, *JSONS, "sha-256", ":a"])
keywords = st.sampled_from([Keyword(name) for name in ("a", "b", "a/b", "int", "list", "")])
moments = [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)]
scalars = (
    st.none()
    | st.booleans()
    | numbers
    | texts
    | keywords
    | st.sampled_from([UUID(int=7), *moments, b"\xff"])
)
keys = st.booleans() | st.integers(-1, 2) | texts | keywords | st.none() | st.floats(0, 1)
data = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(keys, inner, max_size=3)
        | st.frozensets(keys, max_size=3)
        | st.lists(st.tuples(inner, inner).map(list), max_size=3)
    ),
    max_leaves=8,
)
odd = st.sampled_from([nested(300), nested(30_000), RunError("thrown", "x", data=1), len])
anything = data | data | data | odd | st.builds(Cell, data)

PLAIN = {
    "int": ints,
    "numeric": numbers,
    "text": texts,
    "keyword": keywords,
    "bool": st.booleans(),
    "null": st.none(),
    "uuid": st.uuids(),
    "any": anything,
}


def failing(*_):
    raise RunError("thrown", "the callable fails", data=[1])


def callables(results):
    """Callables that give values of a type, what they were called with, or an error."""
    constant = results.map(lambda value: lambda *_: value)
    return constant | st.sampled_from([failing, lambda *given: given[0] if given else None])


def values_of(type_):
    """Values of a type as a row writes it."""
    match type_:
        case Symbol():
            return anything
        case [Keyword("list"), item]:
            return st.lists(values_of(item), max_size=4)
        case [Keyword("map"), key, value]:
            some_keys = keys if isinstance(key, Symbol) else values_of(key)
            return st.dictionaries(some_keys, values_of(value), max_size=3)
        case [Keyword("tuple"), *items]:
            return st.tuples(*map(values_of, items)).map(list)
        case [Keyword("union"), *members]:
            return st.one_of(*map(values_of, members))
        case [Keyword("fn"), _, result]:
            return callables(values_of(result))
        case _:
            return PLAIN[type_.text]


def slots_of(name):
    """The arguments of a function: those that must be given, and those that may."""
    needed, optional = {}, {}
    for key, slot in FUNCTIONS[name].get("args").entries:
        declared = slot.get("type") if isinstance(slot.value, dict) else slot
        typed = values_of(declared.value)
        is_callable = isinstance(declared.value, list) and declared.value[0] == "fn"
        values = typed if is_callable else typed | typed | typed | anything
        (needed if slot.get("required") is None else optional)[key.value.text] = values
    return st.fixed_dictionaries(needed, optional=optional)


@pytest.fixture(scope="module")
def graph():
    rows = "".join(
        f"{{:name :use-{number} :parent :{name}}}\n" for number, name in enumerate(FUNCTIONS)
    )
    graph = graphden.Graph.parse(rows)
    yield graph
    graph.close()


@pytest.fixture(scope="module")
def resources():
    resources = Resources()
    yield resources
    resources.close()


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=settings.default.max_examples // 2)
@given(st.data())
def test_a_value_or_a_documented_error(graph, resources, name, data):
    arguments = data.draw(slots_of(name))
    context = Context(resources=resources)
    context.request_stop()  # loops and waits end at once
    failure = None
    try:
        graph.run(f"use-{list(FUNCTIONS).index(name)}", arguments, context=context)
    except RunError as error:
        failure = error

    assert failure is None or failure.code in CODES, (failure.code, failure.message)


@pytest.mark.parametrize(
    ("name", "slots", "message"),
    [
        ("repeat", (10_000_001, 0), "repeat: the list would have more than 10,000,000 items"),
        ("repeat", (10**400, 0), "repeat: the list would have more than 10,000,000 items"),
        ("range", (0, 10**400, 1), "range: the list would have more than 10,000,000 items"),
        ("range", (0, -(10**9), -3), "range: the list would have more than 10,000,000 items"),
        ("str", (["x" * 10**7] * 11,), "str: the text would have more than 100,000,000 char"),
        ("str-join", ([""] * 20_000, "x" * 10_000), "str-join: the text would have more than"),
        ("str-replace", ("a" * 20_000, "a", "x" * 10_000), "str-replace: the text would have"),
        ("subs", ("a", 10**400, None), "subs: the part from (of 1,329 bits) to 1 does not"),
    ],
)
def test_what_would_be_too_large_is_refused(call, name, slots, message):
    with pytest.raises(RunError) as raised:
        call(name, *slots)

    assert raised.value.code == "invalid-argument"
    assert raised.value.message.startswith(message)


def test_a_replacement_that_would_be_too_large_is_refused(call, context):
    with pytest.raises(RunError, match="re-replace: the text would have more than"):
        call("re-replace", "a" * 20_000, "a", "x" * 10_000, context=context)


@pytest.mark.parametrize(
    ("name", "slots", "value"),
    [
        ("range", (10**400, 10**400 + 2, 1), [10**400, 10**400 + 1]),
        ("range", (5, 0, -2), [5, 3, 1]),
        ("range", (5, 0, 1), []),
        ("repeat", (-(10**400), 0), []),
        ("take", (10**400, [1, 2]), [1, 2]),
        ("drop", (10**400, [1, 2]), []),
        ("drop", (-(10**400), [1, 2]), [1, 2]),
        ("str-split", ("a,b", ",", 10**400), ["a", "b"]),
    ],
)
def test_large_numbers_where_they_make_sense(call, name, slots, value):
    assert call(name, *slots) == value
