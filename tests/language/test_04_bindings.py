"""LANGUAGE 4: what may stand behind a slot."""

from __future__ import annotations

import itertools
from decimal import Decimal
from uuid import UUID

import pytest

from graphden.edn import Keyword
from tests.language.saying import Fails, exact, fails, graph, report, rows, value
from tests.read.reports import interface, only

K = Keyword
TEN = "{:name :ten :parent :const :args {:value 10}} "


@rows(
    TEN,
    {
        # 4.1
        ":parent :const :args {:value nil}": None,
        ":parent :const :args {:value true}": True,
        ":parent :const :args {:value 1.0}": 1.0,
        ":parent :const :args {:value 1.50M}": Decimal("1.50"),
        ':parent :const :args {:value "a"}': "a",
        ':parent :const :args {:value #uuid "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"}': UUID(
            "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"
        ),
        ":parent :const :args {:value :ten}": 10,
        ":parent :const :args {:value :user/ten}": 10,
        ":parent :const :args {:value #{1 2}}": frozenset({1, 2}),
        ":parent :const :args {:value #{:ten}}": frozenset({K("ten")}),
        ":parent :const :args {:value (1 2)}": [1, 2],
        # 4.2
        ":parent :const :args {:value {:value :ten}}": K("ten"),
        ":parent :const :args {:value {:value nil}}": None,
        ":parent :const :args {:value {:value {:value :ten}}}": {K("value"): K("ten")},
        ":parent :const :args {:value {:value {:ref :ten}}}": {K("ref"): K("ten")},
        ":parent :const :args {:value {:value [{:value 1} :ten]}}": [{K("value"): 1}, K("ten")],
        ":parent :const :args {:value {:ref :ten}}": 10,
        ":parent :const :args {:value {:parent :ten}}": 10,
        ":parent :const :args {:value {:parent :add :args {:nums [:ten 1]}}}": 11,
        ":parent :const :args {:value {:parents [:add] :args {:nums [:ten 1]}}}": 11,
        ":parent :const :args {:value {}}": {},
        ":parent :const :args {:value {:sku :ten}}": {K("sku"): K("ten")},
        ":parent :const :args {:value {:sku {:ref :ten}}}": {K("sku"): {K("ref"): K("ten")}},
        ":parent :const :args {:value {:name :ten}}": {K("name"): K("ten")},
        ':parent :const :args {:value {"value" :ten}}': {"value": K("ten")},
        ':parent :const :args {:value {"as" 1 :sku 2}}': {"as": 1, K("sku"): 2},
        ":parent :const :args {:value {:x/value 1 :as/ref 2}}": {
            K("x/value"): 1, K("as/ref"): 2,
        },
        ":parent :const :args {:value {1 :ten nil 2}}": {1: K("ten"), None: 2},
        # 4.3
        ":parent :list :args {:items []}": [],
        ":parent :list :args {:items [:ten {:ref :ten} {:value :ten} {:parent :ten}]}": [
            10, 10, K("ten"), 10,
        ],
        ":parent :list :args {:items [nil nil]}": [None, None],
        ":parent :list :args {:items [[:ten] [[:ten]]]}": [[K("ten")], [[K("ten")]]],
        ":parent :list :args {:items [{:value [:ten]}]}": [[K("ten")]],
        ":parent :list :args {:items [{:a :ten}]}": [{K("a"): K("ten")}],
        ":parent :list :args {:items {:value [:ten]}}": [K("ten")],
        ":parent :const :args {:value [:ten {:ref :ten} {:parent :x}]}": [
            K("ten"), {K("ref"): K("ten")}, {K("parent"): K("x")},
        ],
        ":parent :const :args {:value {:value [:ten]}}": [K("ten")],
        ":parent :get :args {:coll [:ten] :key 0}": K("ten"),
        ":parent :list :args {:items [[1 {:as :x}]]}": [[1, {K("as"): K("x")}]],
    },
)  # fmt: skip
def test_4_1_to_4_3_what_stands_there(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


@pytest.mark.parametrize("slot", [":value", ":items"])
@pytest.mark.parametrize("form", [":missing", "{:ref :missing}", "{:parent :missing}"])
def test_4_1_a_name_without_a_row(slot, form):
    parent = ":const" if slot == ":value" else ":list"
    behind = form if slot == ":value" else f"[{form}]"
    text = f"{{:name :r :parent {parent} :args {{{slot} {behind}}}}}"
    assert report(text) == [("unknown-row", "r", ":missing")]


def test_4_1_the_hint_says_how_to_write_data():
    text = "{:name :r :parent :const :args {:value :qqqqqqqqqq}}"
    assert "{:value :qqqqqqqqqq}" in only(text).hint


KEYS = {
    ":as": ":x",
    ":ref": ":ten",
    ":value": "1",
    ":type": ":int",
    ":append": "[1]",
    ":closed": "true",
    ":required": "true",
    ":terminal": "true",
    ":description": '"D."',
    ":parent": ":ten",
    ":parents": "[:ten]",
    ":args": "{}",
    ":lambda-params": "[]",
}


@pytest.mark.parametrize("key", KEYS)
def test_4_2_each_of_these_keys_makes_a_binding_form_and_allows_no_other(key):
    text = TEN + f"{{:name :r :parent :const :args {{:value {{{key} {KEYS[key]} :sku 1}}}}}}"
    assert ("unknown-key", "r", ":sku") in report(text)


@pytest.mark.parametrize("key", [key for key in KEYS if key not in (":ref", ":parent")])
def test_4_2_inside_value_they_are_data(key):
    text = f"{{:name :r :parent :const :args {{:value {{:value {{{key} 5 :sku 1}}}}}}}}"
    assert exact(value(text)) == exact({K(key[1:]): 5, K("sku"): 1})


GOES_TOGETHER = {
    frozenset(pair)
    for pair in [
        (":as", ":value"), (":as", ":ref"), (":as", ":type"), (":as", ":required"),
        (":as", ":terminal"), (":value", ":type"), (":value", ":terminal"), (":ref", ":type"),
        (":ref", ":terminal"), (":type", ":required"), (":type", ":terminal"),
        (":required", ":terminal"), (":parent", ":args"), (":parent", ":lambda-params"),
        (":parents", ":args"), (":parents", ":lambda-params"),
    ]
}  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pair
        for pair in itertools.combinations(
            [key for key in KEYS if key not in (":description", ":append", ":closed")], 2
        )
        if frozenset(pair) not in GOES_TOGETHER
        and pair not in [(":value", ":required"), (":ref", ":required")]
    ],
)
def test_4_2_keys_that_say_two_things_are_refused(one, other):
    both = f"{one} {KEYS[one]} {other} {KEYS[other]}"
    text = TEN + f"{{:name :r :parent :const :args {{:value {{{both}}}}}}}"
    found = report(text)
    assert found
    assert {code for code, _, _ in found} <= {"bad-row", "unknown-key", "invalid-lambda-params"}


@pytest.mark.parametrize("pair", sorted(map(sorted, GOES_TOGETHER)))
def test_4_2_keys_that_go_together(pair):
    one, other = pair
    both = f"{one} {KEYS[one]} {other} {KEYS[other]}"
    text = TEN + f"{{:name :r :parent :const :args {{:value {{{both}}}}}}}"
    assert report(text) == []


LISTS = """
{:name :one :parent :const :args {:value 1}}
{:name :base :parent :list :args {:items [1 2]}}
{:name :opened :parent :list :args {:items [1 {:as :n} 3]}}
{:name :replaced :parent :base :args {:items {:value [8 9]}}}
{:name :refers :parent :list :args {:items [:one]}}
{:name :closed :parent :base :args {:items {:append [3] :closed true}}}
{:name :nothing :parent :list :args {:items []}}
{:name :defaulted :parent :list :args {:items {:as :items :value [5]}}}
"""


@rows(
    LISTS,
    {
        ":parent :base :args {:items [3]}": [1, 2, 3],
        ":parent :base :args {:items []}": [1, 2],
        ":parent :base :args {:items {:append [3 4]}}": [1, 2, 3, 4],
        ":parent :base :args {:items {:append []}}": [1, 2],
        ":parent :base :args {:items {:append [3] :closed false}}": [1, 2, 3],
        ":parent :closed": [1, 2, 3],
        ":parent :base :args {:items {:value []}}": [],
        ":parent :replaced :args {:items [10]}": [8, 9, 10],
        ":parent :replaced :args {:items {:value [7]}}": [7],
        ":parent :refers :args {:items [2 :one]}": [1, 2, 1],
        ":parent :opened :args {:n 2 :items [4]}": [1, 2, 3, 4],
        ":parent :nothing :args {:items [1]}": [1],
        ":parent :list :args {:items {:append [1]}}": [1],
        ":parent :defaulted": [5],
        ":parent :defaulted :args {:items [6]}": [6],
        # A list bound as a whole may be a reference where nothing is bound yet, or a literal.
        ":parent :list :args {:items :base}": [1, 2],
        ":parent :base :args {:items :replaced}": [8, 9],
        # nil is no empty vector of items, but where the type takes it, nothing.
        ":parent :add :args {:nums [1]}": 1,
    },
)
def test_4_4_items(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (":parent :closed :args {:items [4]}", "list-closed"),
        (":parent :closed :args {:items []}", "list-closed"),
        (":parent :closed :args {:items {:append [4]}}", "list-closed"),
        (":parent :refers :args {:items {:value [9]}}", "sealed-slot"),
        (":parent :refers :args {:items :base}", "sealed-slot"),
        (":parent :refers :args {:items {:as :xs}}", "sealed-slot"),
        (":parent :refers :args {:items nil}", "sealed-slot"),
        (":parent :const :args {:value {:append [1]}}", "bad-row"),
        (":parent :base :args {:items {:append 3}}", "bad-row"),
        (":parent :base :args {:items {:closed true}}", "bad-row"),
        (":parent :base :args {:items {:append [1] :closed 1}}", "bad-row"),
        (":parent :list :args {:items [{:append [1]}]}", "bad-row"),
        (":parent :list :args {:items [{:required true}]}", "bad-row"),
    ],
)
def test_4_4_what_lists_refuse(row, expected):
    assert [each[:2] for each in report(LISTS + f"{{:name :r {row}}}")] == [(expected, "r")]


RENAMES = """
{:name :rem :parent :mod :args {:dividend {:as :sum} :divisor {:as :people}}}
{:name :rem2 :parent :rem :args {:sum {:as :total}}}
{:name :rem3 :parent :rem2 :args {:total {:as :all} :people {:as :heads}}}
{:name :half :parent :rem :args {:people {:as :people :value 2}}}
{:name :halved :parent :half :args {:people {:as :by}}}
{:name :uses :parent :identity :args {:value :rem3}}
{:name :uses2 :parent :uses :args {:all {:as :n}}}
{:name :swap :parent :rem :args {:sum {:as :people} :people {:as :sum}}}
{:name :ten :parent :const :args {:value 10}}
{:name :ref-default :parent :rem :args {:sum {:as :sum :ref :ten}}}
{:name :item :parent :list :args {:items [{:as :a} {:as :b} {:as :a}]}}
{:name :item2 :parent :item :args {:a {:as :b} :b {:as :a}}}
"""


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        ("rem", {"sum": 7, "people": 4}, 3),
        ("rem", {"dividend": 7, "people": 4}, Fails("missing-argument")),
        ("rem2", {"total": 7, "people": 4}, 3),
        ("rem3", {"all": 7, "heads": 4}, 3),
        ("uses", {"all": 7, "heads": 4}, 3),
        ("uses2", {"n": 7, "heads": 4}, 3),
        ("uses2", {"all": 7, "heads": 4}, Fails("missing-argument")),
        ("half", {"sum": 7}, 1),
        ("half", {"sum": 7, "people": 4}, 3),
        ("halved", {"sum": 7, "by": 4}, 3),
        ("halved", {"sum": 7}, 1),
        ("swap", {"people": 7, "sum": 4}, 3),
        ("ref-default", {"people": 4}, 2),
        ("ref-default", {"people": 4, "sum": 7}, 3),
        ("item", {"a": 1, "b": 2}, [1, 2, 1]),
        ("item2", {"a": 1, "b": 2}, [2, 1, 2]),
    ],
)
def test_4_5_open_under_another_name(row, given, expected):
    assert exact(value(RENAMES, row, **given)) == exact(expected)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("rem3", {"all": ":numeric", "heads": ":numeric"}),
        ("half", {"sum": ":numeric", "people": ":numeric? = 2"}),
        ("halved", {"sum": ":numeric", "by": ":numeric? = 2"}),
        ("ref-default", {"sum": ":numeric?", "people": ":numeric"}),
        ("uses2", {"n": ":numeric", "heads": ":numeric"}),
    ],
)
def test_4_5_the_interface_has_the_new_names_only(row, expected):
    assert interface(RENAMES, row) == expected


@pytest.mark.parametrize(
    "binding", ["{:dividend 1}", "{:sum 1 :dividend 2}", "{:dividend {:as :sum}}"]
)
def test_4_5_the_old_name_is_gone_for_descendants(binding):
    text = RENAMES + f"{{:name :r :parent :rem :args {binding}}}"
    assert report(text) == [("unknown-slot", "r", ":dividend")]


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        (":sum :ten", {"people": ":numeric"}),
        (":sum {:value 3}", {"people": ":numeric"}),
        (":sum {:as :sum}", {"sum": ":numeric?", "people": ":numeric"}),
        (":sum {:as :s :value 1}", {"s": ":numeric? = 1", "people": ":numeric"}),
        (
            ":sum {:parent :add :args {:nums [{:as :x}]}}",
            {"x": ":numeric", "people": ":numeric"},
        ),
    ],
)
def test_4_5_a_default_reference_may_be_overridden(over, expected):
    text = RENAMES + f"{{:name :r :parent :ref-default :args {{{over}}}}}"
    assert interface(text, "r") == expected


NARROW = """
{:name :few :refine {:base :int :constraint [:< 10]}}
{:name :fewer :refine {:base :int :constraint [:< 5]}}
{:name :seven :parent :const :return-type :few :args {:value 7}}
{:name :id :parent :identity}
{:name :n :parent :id :args {:value {:type :few}}}
{:name :refers :parent :str :args {:parts [{:as :x} {:as :y}]}}
{:name :ten :parent :const :return-type :text :args {:value "10"}}
{:name :ten-for-x :parent :identity :args {:value :refers :x {:as :x :value 10}}}
"""


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (":parent :n", []),
        (":parent :n :args {:value 9}", []),
        (":parent :n :args {:value 10}", ["refinement-violated"]),
        (':parent :n :args {:value "9"}', ["type-mismatch"]),
        (":parent :n :args {:value {:type :fewer}}", []),
        (":parent :n :args {:value {:type :int}}", ["not-narrower"]),
        (":parent :n :args {:value {:type :any}}", ["not-narrower"]),
        (":parent :n :args {:value {:type :text}}", ["not-narrower"]),
        (":parent :n :args {:value {:type :few}}", []),
        (":parent :n :args {:value {:as :v :type :fewer}}", []),
        (":parent :n :args {:value {:as :v :type :int}}", ["not-narrower"]),
        (":parent :n :args {:value {:value 4 :type :fewer}}", []),
        (":parent :n :args {:value {:value 7 :type :fewer}}", ["refinement-violated"]),
        (":parent :id :args {:value {:ref :seven :type :few}}", []),
        (":parent :refers :args {:x {:type :int}}", []),
        (":parent :refers :args {:z {:type :int}}", ["unknown-slot"]),
        (":parent :refers :args {:x {:type :int} :y {:as :x :type :few}}", []),
        (":parent :list :args {:items [{:as :q :type :few}]}", []),
        (
            ":parent :list :args {:items [{:as :q :type :few :value 10}]}",
            ["refinement-violated"],
        ),
        (":parent :list :args {:items [{:as :q :type :few :value 9}]}", []),
        (":parent :list :args {:items [{:as :q :type :few :ref :ten}]}", ["type-mismatch"]),
        (":parent :list :args {:items [{:type :few :value 10}]}", ["refinement-violated"]),
        (":parent :list :args {:items [{:type :few :value 9} 10]}", []),
        (":parent :list :args {:items [{:type :few :ref :seven}]}", []),
        (":parent :list :args {:items [{:type :few :ref :ten}]}", ["type-mismatch"]),
        (":parent :add :args {:nums [{:type :any :value 1}]}", ["not-narrower"]),
        (":parent :add :args {:nums [{:as :q :type :any}]}", []),
        (":parent :add :args {:nums [{:as :q :type :text}]}", ["type-mismatch"]),
        (":parent :add :args {:nums [{:as :q :type :int}]}", []),
        (
            ":parent :identity :args {:value :refers :x {:as :x :type :few :value 10}}",
            ["refinement-violated"],
        ),
        (
            ":parent :identity :args {:value :refers :x {:as :z :type :few :value 10}}",
            ["refinement-violated"],
        ),
        (":parent :identity :args {:value :refers :x {:as :x :type :few :value 9}}", []),
        (
            ":parent :identity :args {:value :refers :x {:as :x :type :few :ref :ten}}",
            ["type-mismatch"],
        ),
        (":parent :ten-for-x :args {:x {:type :few}}", ["refinement-violated"]),
        (
            ":parent :identity :args {:value :refers :x {:type :few :value 10}}",
            ["refinement-violated"],
        ),
    ],
)
def test_4_6_narrowing(row, expected):
    assert [each[0] for each in report(NARROW + f"{{:name :r {row}}}")] == expected


@pytest.mark.parametrize(
    "row",
    [
        ":parent :list :args {:items [1 {:type :few :ref :parsed}]}",
        ":parent :list :args {:items [1 {:as :q :type :few :ref :parsed}]}",
        ":parent :refers :args {:y 1 :x {:as :x :type :few :ref :parsed}}",
        ":parent :identity :args {:value :refers :y 1 :x {:as :x :type :few :ref :parsed}}",
    ],
)
@pytest.mark.parametrize(("json", "right"), [("9", True), ("10", False)])
def test_4_6_what_types_do_not_tell_is_looked_at_when_it_comes(row, json, right):
    text = (
        NARROW
        + f"""
    {{:name :parsed :parent :parse-json :args {{:string "{json}"}}}}
    {{:name :r {row}}}
    """
    )
    assert (value(text) != Fails("contract-violation")) is right


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (":parent :n", {"value": ":few"}),
        (":parent :n :args {:value {:type :fewer}}", {"value": ":fewer"}),
        (":parent :n :args {:value {:as :v}}", {"v": ":few"}),
        (":parent :refers :args {:x {:type :few}}", {"x": ":few", "y": ":any"}),
        (
            ":parent :identity :args {:value :refers :x {:type :few}}",
            {"x": ":few", "y": ":any"},
        ),
        (
            ":parent :identity :args {:value :n :n-is-not nil}",
            None,
        ),
    ],
)
def test_4_6_what_is_narrowed_is_so_in_the_interface(row, expected):
    text = NARROW + f"{{:name :r {row}}}"
    if expected is None:
        assert report(text) == [("unknown-slot", "r", ":n-is-not")]
    else:
        assert interface(text, "r") == expected


REQUIRE = """
{:name :req :parent :range :args {:start {:required true}}}
{:name :term :parent :range :args {:start {:terminal true}}}
{:name :term-value :parent :range :args {:start {:value 3 :terminal true}}}
{:name :term-as :parent :range :args {:start {:as :from :terminal true}}}
{:name :ten :parent :const :args {:value 2}}
{:name :term-ref :parent :range :args {:start {:ref :ten :terminal true}}}
"""


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        (":parent :req", {"end": 2}, Fails("missing-argument")),
        (":parent :req", {"end": 2, "start": 0}, [0, 1]),
        (":parent :req :args {:start 1}", {"end": 2}, [1]),
        (":parent :req :args {:start {:as :from}}", {"end": 2}, Fails("missing-argument")),
        (":parent :identity :args {:value :req}", {"end": 2}, Fails("missing-argument")),
        (":parent :term", {"end": 2}, [0, 1]),
        (":parent :term", {"end": 2, "start": 1}, [1]),
        (":parent :term-value", {"end": 5}, [3, 4]),
        (":parent :term-value", {"end": 5, "start": 4}, Fails("unknown-argument")),
        (":parent :term-as", {"end": 5, "from": 4}, [4]),
        (":parent :term-ref", {"end": 4}, [2, 3]),
        (":parent :identity :args {:value :term :start 3}", {"end": 5}, [3, 4]),
        (":parent :identity :args {:value :term-as :from 3 :end 4}", {}, [3]),
        (":parent :term :args {:step 2}", {"end": 3}, [0, 2]),
    ],
)
def test_4_7_required_and_terminal(row, given, expected):
    assert exact(value(REQUIRE + f"{{:name :r {row}}}", **given)) == exact(expected)


@pytest.mark.parametrize("parent", ["term", "term-value", "term-ref"])
@pytest.mark.parametrize(
    "binding", ["3", ":ten", "{:as :x}", "{:as :start :value 1}", "{:parent :ten}"]
)
def test_4_7_terminal_refuses_every_binding_by_descendants(parent, binding):
    text = REQUIRE + f"{{:name :r :parent :{parent} :args {{:start {binding}}}}}"
    assert [each[:2] for each in report(text)] == [("sealed-slot", "r")]


SEALED = """
{:name :ten :parent :const :args {:value 10}}
{:name :open :parent :identity}
{:name :literal :parent :open :args {:value 1}}
{:name :reference :parent :literal :args {:value :ten}}
{:name :inline :parent :open :args {:value {:parent :ten}}}
{:name :below :parent :reference}
{:name :callable :parent :map :args {:func :ten}}
{:name :scale :parent :mul :args {:nums [{:as :a} {:as :b}]}}
{:name :feeds :parent :identity :args {:value :scale :a :ten :b 2}}
{:name :renamed :parent :open :args {:value {:as :v}}}
{:name :sealed-renamed :parent :renamed :args {:v :ten}}
"""
OVERS = {
    "a literal": "5",
    "nil": "nil",
    "a value": "{:value 5}",
    "a reference": ":ten",
    "an explicit one": "{:ref :ten}",
    "an inline row": "{:parent :ten}",
    "a name": "{:as :x}",
    "a name with a default": "{:as :x :value 1}",
}


@pytest.mark.parametrize("over", OVERS.values(), ids=OVERS)
@pytest.mark.parametrize(
    ("parent", "slot", "binder", "open_"),
    [
        ("reference", "value", "reference", "literal"),
        ("below", "value", "reference", "literal"),
        ("inline", "value", "inline", "open"),
        ("callable", "func", "callable", "map"),
        ("feeds", "a", "feeds", None),
        ("sealed-renamed", "v", "sealed-renamed", "renamed"),
    ],
)
def test_4_8_nothing_goes_over_an_inherited_reference(parent, slot, binder, open_, over):
    text = SEALED + f"{{:name :r :parent :{parent} :args {{:{slot} {over}}}}}"
    [(code, row, _)] = report(text)
    assert (code, row) == ("sealed-slot", "r")
    problem = only(text)
    assert f":{binder}" in problem.message + problem.hint
    if open_ is not None:
        assert f":{open_}" in problem.hint


@pytest.mark.parametrize("over", OVERS.values(), ids=OVERS)
@pytest.mark.parametrize(
    ("parent", "slot"),
    [("open", "value"), ("literal", "value"), ("feeds", "b"), ("renamed", "v")],
)
def test_4_8_everything_goes_over_what_is_open_or_a_literal(parent, slot, over):
    text = SEALED + f"{{:name :r :parent :{parent} :args {{:{slot} {over}}}}}"
    assert [each for each in report(text) if each[0] == "sealed-slot"] == []


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        (":parent :literal :args {:value 2}", {}, 2),
        (":parent :literal :args {:value :ten}", {}, 10),
        (":parent :literal :args {:value nil}", {}, None),
        (":parent :literal :args {:value {:as :x}}", {"x": 7}, 7),
        (":parent :literal :args {:value {:as :x}}", {}, Fails("missing-argument")),
        (":parent :feeds", {}, 20),
        (":parent :feeds :args {:b 3}", {}, 30),
        (":parent :feeds :args {:b :ten}", {}, 100),
        (":parent :below :args {:value {:type :int}}", {}, 10),
    ],
)
def test_4_8_the_closest_counts(row, given, expected):
    assert exact(value(SEALED + f"{{:name :r {row}}}", **given)) == exact(expected)


@pytest.mark.parametrize(
    ("row", "place", "hint"),
    [
        (":parent :mod :args {:dividnd 1}", ":dividnd", ":dividend"),
        (":parent :scale :args {:aa 1}", ":aa", ":a"),
        (":parent :map :args {:fnc :ten}", ":fnc", ":func"),
        (":parent :feeds :args {:c 1}", ":c", ""),
        (":parent :ten :args {:vlue 1}", ":vlue", ":value"),
        (
            ":parent :list :args {:items [{:parent :mod :args {:divsor 1}}]}",
            ":divsor",
            ":divisor",
        ),
    ],
)
def test_4_9_a_name_that_is_neither_slot_nor_free(row, place, hint):
    text = SEALED + f"{{:name :r {row}}}"
    assert report(text) == [("unknown-slot", "r", place)]
    assert hint in only(text).hint


@pytest.mark.parametrize(
    ("row", "given", "expected", "open_"),
    [
        (":parent :range", {"end": 2}, [0, 1], {"start": 0, "step": 1}),
        (":parent :range :args {:end 2}", {}, [0, 1], {"start": 0, "step": 1}),
        (":parent :range :args {:end 4 :step 2}", {"start": 1}, [1, 3], {"start": 0}),
        (":parent :list :args {:items [:up]}", {}, [[0, 1]], {"start": 0, "step": 1}),
        (":parent :list :args {:items [:up] :start 1}", {}, [[1]], {"step": 1}),
        (":parent :identity :args {:value :up :start {:as :from}}", {"from": 1}, [1],
         {"from": 0, "step": 1}),
        (":parent :str-join :args {:coll [1 2]}", {}, "12", {"separator": ""}),
        (':parent :str-join :args {:coll [1 2]}', {"separator": ","}, "1,2", {"separator": ""}),
    ],
)  # fmt: skip
def test_4_10_declared_defaults(row, given, expected, open_):
    text = f"{{:name :up :parent :range :args {{:end 2}}}} {{:name :r {row}}}"
    assert exact(value(text, **given)) == exact(expected)
    assert {
        each.name: each.default for each in graph(text).interface("r") if not each.required
    } == open_


def test_4_10_a_supplied_nil_is_no_default():
    text = "{:name :r :parent :get :args {:coll {:a 1} :key {:value :b}}}"
    assert value(text) is None
    assert value(text, default=3) == 3
    assert fails("{:name :r :parent :range :args {:end 2}}", start=None).code == "argument-type"
