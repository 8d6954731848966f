"""What is written in place of a call gives what the call gives (DESIGN 2)."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphden import Graph, RunError
from graphden.compile import emit, plan
from graphden.compile.spans import PLAIN
from graphden.edn import Keyword
from graphden.run import Context
from graphden.stdlib import package

INTS = st.integers() | st.sampled_from([0, 1, -1, 2**63, -(10**30)])
TEXTS = st.text(max_size=5)
KEYS = ("a", "b", "c")
RECORDS = st.fixed_dictionaries({Keyword("a"): INTS, Keyword("b"): TEXTS})
ITEMS = st.lists(INTS, max_size=6)

INT, LIST, TEXT = ":int", "[:list :int]", ":text"
NULLABLE = "[:union :text :null]"
RECORD = ":pair-shape"
SHAPE = "{:name :pair-shape :type {:a :int :b :text}}\n"

CASES: dict[str, tuple[str, dict[str, str]]] = {
    **{
        name: (f":parent :{name} :args {{:nums [:x :y :x]}}", {"x": INT, "y": INT})
        for name in ("add", "sub", "mul")
    },
    **{
        name: (f":parent :{name} :args {{:nums [:x :y]}}", {"x": INT, "y": INT})
        for name in ("lt", "lte", "gt", "gte")
    },
    "eq": (":parent :eq :args {:values [:x :y]}", {"x": INT, "y": INT}),
    "eq of texts": (":parent :eq :args {:values [:x :y]}", {"x": TEXT, "y": TEXT}),
    "neq": (":parent :neq :args {:values [:x :y]}", {"x": INT, "y": INT}),
    "mod": (":parent :mod :args {:dividend :x :divisor -7}", {"x": INT}),
    "neg": (":parent :neg :args {:number :x}", {"x": INT}),
    "not": (":parent :not :args {:value {:parent :lt :args {:nums [:x 3]}}}", {"x": INT}),
    "some?": (":parent :some? :args {:value :x}", {"x": "[:union :int :null]"}),
    "nil?": (":parent :nil? :args {:value :x}", {"x": "[:union :int :null]"}),
    "zero?": (":parent :zero? :args {:number :x}", {"x": INT}),
    "identity": (":parent :identity :args {:value :x}", {"x": INT}),
    "const": (":parent :const :args {:value :x}", {"x": INT}),
    "get": (":parent :get :args {:coll :x :key {:value :a} :default nil}", {"x": RECORD}),
    "get by text": (':parent :get :args {:coll :x :key "b" :default nil}', {"x": RECORD}),
    "get of a tuple": (
        ":parent :get :args {:coll :x :key 1 :default nil}",
        {"x": "[:tuple :int :text]"},
    ),
    "assoc": (
        ":parent :assoc :args {:map :x :key {:value :a} :value :y}",
        {"x": RECORD, "y": INT},
    ),
    "assoc of a text": (':parent :assoc :args {:map :x :key "c" :value 1}', {"x": RECORD}),
    "merge": (":parent :merge :args {:maps [:x :y]}", {"x": RECORD, "y": RECORD}),
    "zipmap": (
        ":parent :zipmap :args {:keys {:value [:a :b :a]}"
        " :vals {:parent :list :args {:items [:x :y 3]}}}",
        {"x": INT, "y": INT},
    ),
    "str": (
        ':parent :str :args {:parts ["a" :x 7 {:value :k} :y nil true "b" :z :w :u]}',
        {"x": TEXT, "y": INT, "z": NULLABLE, "w": ":bool", "u": ":keyword"},
    ),
    "str of calls": (
        ':parent :str :args {:parts [{:parent :add :args {:nums [:x 1]}} "/" :y]}',
        {"x": INT, "y": ":any"},
    ),
    "str of many": (f":parent :str :args {{:parts [{':x ' * 19}]}}", {"x": TEXT}),
    "map over a str": (
        ":parent :map :args {:func :again-in :coll"
        ' {:parent :str-split :args {:string {:parent :str :args {:parts [:x ","]}}'
        ' :limit 3 :separator ","}}}',
        {"x": TEXT},
    ),
    "list": (":parent :list :args {:items [:x :y]}", {"x": INT, "y": INT}),
    "map": (":parent :map :args {:func :more :coll :x}", {"x": LIST}),
    "map with statements": (":parent :map :args {:func :tried :coll :x}", {"x": LIST}),
    "map of a map": (
        ":parent :map :args {:coll :x :func {:parent :map :lambda-params [:n]"
        " :args {:coll :x :func {:parent :add :lambda-params [:m]"
        " :args {:nums [{:as :m :type :int} {:as :n :type :int}]}}}}}",
        {"x": LIST},
    ),
    "callables made in a loop": (
        ":parent :map :args {:coll {:parent :map :args {:coll :x"
        " :func {:parent :identity :lambda-params [:by] :args {:value :later}}}}"
        " :func {:parent :call :lambda-params [:given] :args {:func {:as :given} :arg 1}}}",
        {"x": LIST},
    ),
    "filter": (":parent :filter :args {:pred :small :coll :x}", {"x": LIST}),
    "for-each": (":parent :for-each :args {:func :more :coll :x}", {"x": LIST}),
    "reduce": (":parent :reduce :args {:func :sum :init 0 :coll :x}", {"x": LIST}),
    "reduce of pairs": (
        ":parent :reduce :args {:func {:parent :identity :args {:value {:as :pair}}}"
        " :init 0 :coll :x}",
        {"x": LIST},
    ),
    "try": (":parent :try :args {:body :divided :on-throw :code}", {"x": INT}),
    "fix": (":parent :fix :args {:step :down :input :x}", {"x": "[:tuple :int :int]"}),
    "fix of what is around it": (":parent :map :args {:func :counted :coll :x}", {"x": LIST}),
    "call": (":parent :call :args {:func :more :arg :x}", {"x": INT}),
}
"""Rows in which something is written out, and the types of their arguments."""

HELPERS = (
    SHAPE
    + """
{:name :more  :parent :add :args {:nums [{:as :item :type :int} 1]}}
{:name :later :parent :comp
 :args {:functions [{:parent :add :lambda-params [:item]
                     :args {:nums [{:as :item :type :int} {:as :by :type :int}]}}]}}
{:name :small :parent :lt :args {:nums [{:as :item :type :int} 5]}}
{:name :sum   :parent :add
 :args {:nums [{:parent :get :args {:coll {:as :pair} :key 0 :default nil}}
               {:parent :get :args {:coll {:as :pair} :key 1 :default nil}}]}}
{:name :divided :parent :div :args {:nums [10 {:as :x :type :int}]}}
{:name :code :parent :get
 :args {:coll {:parent :ex-describe :args {:ex {:as :exception}}}
        :key {:value :type} :default nil}}
{:name :tried :parent :try
 :args {:body {:parent :div :args {:nums [10 {:as :item :type :int}]}} :on-throw :code}}
{:name :again :parent :call
 :args {:func {:as :self :type [:fn {:input :int} :int]}
        :arg {:parent :sub :args {:nums [{:as :input :type :int} 1]}}}}
{:name :counting :parent :if :return-type :int
 :args {:test {:parent :lt :args {:nums [{:as :input :type :int} 1]}}
        :then {:as :item :type :int}
        :else {:parent :add :args {:nums [{:as :item :type :int} :again :again]}}}}
{:name :counted :parent :fix :args {:step :counting :input 3}}
{:name :again-in :parent :str
 :args {:parts [{:as :item :type :text} "." {:as :item :type :text}]}}
{:name :down :parent :get :args {:coll {:as :input} :key 0 :default nil}}
"""
)

ODD = [None, True, 1.5, 10**5000, Keyword("k"), Decimal("1E+3"), UUID(int=7), [1, "a"], {}]
VALUES = {
    INT: INTS | st.just(-(10**5000)),
    NULLABLE: TEXTS | st.none(),
    ":bool": st.booleans(),
    ":keyword": st.sampled_from([Keyword("k"), Keyword("a/b")]),
    ":any": st.sampled_from(ODD),
    TEXT: TEXTS,
    LIST: ITEMS,
    RECORD: RECORDS,
    "[:union :int :null]": INTS | st.none(),
    "[:tuple :int :text]": st.tuples(INTS, TEXTS).map(list),
    "[:tuple :int :int]": st.tuples(INTS, INTS).map(list),
}


@cache
def graph_of(case: str) -> Graph:
    row, types = CASES[case]
    for name, type_ in types.items():
        row = re.sub(f":{name}(?=[ \\]}}])", f"{{:as :{name} :type {type_}}}", row)
    graph = Graph.parse(f"{HELPERS} {{:name :r {row}}}")
    assert graph.diagnostics == ()
    return graph


def exact(value: object) -> object:
    """A value with its types, and maps with their order."""
    match value:
        case list() | tuple():
            return [exact(item) for item in value]
        case dict():
            return [(type(key).__name__, key, exact(item)) for key, item in value.items()]
    return type(value).__name__, value


def outcome(run: Callable[[], object]) -> object:
    try:
        return exact(run())
    except RunError as error:
        return error.code, error.message


MADE = ("callables made in a loop",)
"""What is called after all: callables that must keep an item of their own.
"""


def arguments(case: str) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({n: VALUES[t] for n, t in CASES[case][1].items()})


@cache
def calling(case: str) -> Callable[..., object]:
    """The row `r` compiled without knowledge of types: all but control forms is called."""
    graph = graph_of(case)
    checked = graph._checked
    planned = plan(graph.program, "user/r")
    return emit(planned, checked.bodies, checked.contracts.guard, f"<{case}>").function


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=50)
@given(data=st.data())
def test_what_is_written_out_gives_what_the_body_gives(case: str, data: st.DataObject) -> None:
    graph = graph_of(case)
    given_ = data.draw(arguments(case))
    values = [given_[name] for name in graph.resolved("r").interface]
    expected = outcome(lambda: calling(case)(Context(), *values))
    assert outcome(lambda: graph.run("r", given_)) == expected
    assert outcome(lambda: graph.run("r", given_, context=Context())) == expected


@pytest.mark.parametrize("case", [case for case in CASES if case not in MADE])
def test_no_call_is_made_of_what_is_written_out(case: str) -> None:
    graph = graph_of(case)
    row = graph.resolved("r")
    checked = graph._checked
    made = emit(
        plan(graph.program, row.id, graph.inference),
        checked.bodies,
        checked.contracts.guard,
        "<written>",
        PLAIN,
    )
    called = {
        node.func.id
        for node in ast.walk(made.source)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    root = checked.bodies[row.root.id].function
    assert root not in [made.function.__globals__.get(name) for name in called]


def test_every_template_is_tried() -> None:
    tried = {row.split()[1].removeprefix(":") for row, _ in CASES.values()} | {"invoke"}
    known = {body.name for body in package.functions if body.template}
    assert known - tried == {"call-with", "call-noargs"}


def test_7_2_a_list_that_two_rows_use_is_evaluated_once() -> None:
    notes: list[int] = []
    graph = Graph.parse("""
        {:name :t :parent :call :args {:func {:as :note :type [:fn {:arg :int} :int]} :arg 1}}
        {:name :vs :parent :list :args {:items [:t 2]}}
        {:name :z :parent :zipmap :args {:keys {:value ["a" "b"]} :vals :vs}}
        {:name :r :parent :list
         :args {:items [{:parent :if :args {:test {:as :x :type :bool} :then :z :else 0}} :vs]}}
    """)

    def note(value: int) -> int:
        notes.append(value)
        return 7

    assert graph.run("r", {"x": True, "note": note}) == [{"a": 7, "b": 2}, [7, 2]]
    assert notes == [1]


def test_a_text_that_is_too_long_is_refused_wherever_it_is_put_together() -> None:
    graph = Graph.parse("""
        {:name :twice :parent :str :args {:parts [{:as :item :type :text} {:as :item}]}}
        {:name :r :parent :map :args {:func :twice :coll [{:as :x :type :text}]}}
    """)
    half = "a" * 50_000_000
    assert graph.run("twice", {"item": half}) == half * 2
    with pytest.raises(RunError) as caught:
        graph.run("r", {"x": half + "a"})
    assert (caught.value.code, caught.value.row) == ("invalid-argument", "twice")
    assert caught.value.message == "str: the text would have more than 100,000,000 characters"
