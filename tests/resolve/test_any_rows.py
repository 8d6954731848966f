"""Whatever stands in a file, the answer is a graph or problems with places (LANGUAGE 9.1)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphden import Graph, GraphError

NAMES = st.sampled_from(
    [":a", ":b", ":c", ":_p", ":x", ":user/a", ":n/b", ":add", ":map", ":if", ":get", ":order"]
)
SLOTS = st.sampled_from(
    [":nums", ":func", ":coll", ":test", ":then", ":key", ":x", ":y", ":sku"]
)
TYPES = st.sampled_from(
    [":int", ":text", ":order", ":a", "[:list :int]", "[:fn {:item :int} :any]", "t", "[:lst]"]
)
SCALARS = st.one_of(
    st.sampled_from(["nil", "true", "3", "1.5M", '"x"', "sym", "#{}", "()", "{}", "{:k :a}"]),
    NAMES,
)


def maps(keys: st.SearchStrategy[str], values: st.SearchStrategy[str], size: int):
    return st.dictionaries(keys, values, max_size=size).map(
        lambda found: "{" + " ".join(f"{k} {v}" for k, v in found.items()) + "}"
    )


def forms(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Binding forms, right and wrong, around others."""
    vectors = st.lists(inner, max_size=3).map(lambda items: f"[{' '.join(items)}]")
    entries = {
        ":as": NAMES,
        ":ref": SCALARS,
        ":value": inner,
        ":type": TYPES,
        ":append": vectors,
        ":closed": st.sampled_from(["true", "false", "1"]),
        ":required": st.sampled_from(["true", "nil"]),
        ":terminal": st.just("true"),
        ":parent": NAMES,
        ":args": maps(SLOTS, inner, 2),
        ":lambda-params": st.sampled_from(["[]", "[:x]", "[:x :x]", ":x"]),
        ":zzz": inner,
    }
    pairs = st.sampled_from(list(entries)).flatmap(
        lambda key: entries[key].map(lambda value: (key, value))
    )
    written = st.lists(pairs, min_size=1, max_size=3, unique_by=lambda pair: pair[0])
    binding = written.map(lambda found: "{" + " ".join(f"{k} {v}" for k, v in found) + "}")
    return st.one_of(vectors, binding)


BINDINGS = st.recursive(SCALARS, forms, max_leaves=6)
ROLES = st.one_of(
    st.tuples(NAMES, maps(SLOTS, BINDINGS, 3)).map(lambda r: f":parent {r[0]} :args {r[1]}"),
    st.tuples(NAMES, BINDINGS).map(lambda r: f":parent {r[0]} :args {r[1]}"),
    maps(SLOTS, TYPES, 2).map(lambda fields: f":type {fields}"),
    TYPES.map(lambda type_: f":list {type_}"),
    TYPES.map(lambda type_: f":union [:int {type_}]"),
    TYPES.map(lambda type_: f":refine {{:base {type_} :constraint [:> 0]}}"),
    BINDINGS.map(lambda value: f":args {value}"),
    st.just(":parnt :add"),
)
ROWS = st.tuples(NAMES, ROLES).map(lambda row: f"{{:name {row[0]} {row[1]}}}")
FILES = st.lists(st.one_of(ROWS, ROWS, ROWS, BINDINGS, st.just("{:namespace :n}")), max_size=6)


@given(FILES)
def test_9_1_any_rows_load_or_have_problems_with_places(forms):
    text = "\n".join(forms)
    try:
        graph = Graph.parse(text)
    except GraphError as error:
        found = error.problems
    else:
        found = graph.diagnostics
        assert set(graph.program.resolved) >= {row.id for row in graph.rows}
    assert all(problem.span is not None and problem.message for problem in found)
    assert len(set(found)) == len(found)


@given(FILES, st.randoms())
def test_1_2_the_order_of_rows_changes_no_problem(forms, random):
    """But of a circle: it is reported where it closes for who begins at the first row."""
    rows = [form for form in forms if form.startswith("{:name ")]
    names = [form.split()[1] for form in rows]
    if len(set(names)) < len(names):
        return
    shuffled = random.sample(rows, len(rows))

    def found(text: list[str]) -> set[tuple[str, str, str]]:
        try:
            problems = Graph.parse("\n".join(text)).diagnostics
        except GraphError as error:
            problems = error.problems
        return {(p.code, p.row, p.message) for p in problems}

    one, other = found(rows), found(shuffled)
    if not any(code == "cycle" for code, _, _ in one | other):
        assert one == other
