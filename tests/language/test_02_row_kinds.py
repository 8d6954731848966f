"""LANGUAGE 2: what a row is; type rows, alone and as parents."""

from __future__ import annotations

import itertools

import pytest

from graphden.edn import Keyword
from tests.language.saying import Fails, exact, fails, graph, report, rows, value
from tests.read.reports import interface, only

ROLES = {
    ":type": "{:a :int}",
    ":refine": "{:base :int :constraint [:> 0]}",
    ":list": ":int",
    ":map": "[:text :int]",
    ":tuple": "[:int :int]",
    ":union": "[:int :text]",
    ":variant": "[:a :int]",
    ":fn-type": "[{:x :int} :int]",
    ":parent": ":add",
}


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(ROLES, 2)))
def test_2_two_role_keys_together_are_no_row(one, other):
    text = f"{{:name :r {one} {ROLES[one]} {other} {ROLES[other]}}}"
    found = report(text)
    assert found == [("bad-row", "r", found[0][2])]
    assert found[0][2] in {one, other}
    assert one in only(text).message
    assert other in only(text).message


@pytest.mark.parametrize("role", [role for role in ROLES if role != ":parent"])
@pytest.mark.parametrize(
    "key", [":args {}", ":return-type :int", ":lambda-params []", ":expects-effects #{}"]
)
def test_2_3_a_type_row_has_none_of_a_function_s_keys(role, key):
    [(code, row, _)] = report(f"{{:name :r {role} {ROLES[role]} {key}}}")
    assert (code, row) == ("bad-row", "r")


@rows(
    "",
    {
        ":parent :add :args {:nums [1 2]}": 3,
        ":parents [:add] :args {:nums [1 2]}": 3,
        ":parent :add :return-type :int :args {:nums [1 2]}": 3,
        ":parent :add :return-type :any :args {:nums [1 2]}": 3,
        ":parent :add :lambda-params [] :args {:nums [1 2]}": 3,
        ":parent :add :expects-effects #{} :args {:nums [1 2]}": 3,
        ":parent :add :expects-effects #{:io :db} :args {:nums [1 2]}": 3,
        ":parent :core.arithmetic/add :args {:nums [1 2]}": 3,
    },
)
def test_2_1_keys_of_a_function(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


TYPES = """
{:name :line :type {:sku :text :qty :int :note {:type :text :required false}}}
{:name :priced :type {:sku :text :price {:type :numeric}}}
{:name :small :refine {:base :int :constraint [:< 10]}}
{:name :skus :list :text}
{:name :stock :map [:text :small]}
{:name :point :tuple [:int :float]}
{:name :id :union [:text :int]}
{:name :outcome :variant [:paid :small :refused :text :unknown :null]}
{:name :nested :type {:line :line :points [:list :point]}}
{:name :empty :type {}}
{:name :tree :type {:value :int :children [:list :tree]}}
{:name :both :refine {:base :small :constraint [:> 0]}}
"""
ANY = ":args {:value {:as :value :type :any}}"


@rows(
    TYPES,
    {
        # A record builds the map of its fields; what is optional and not given is left out.
        ':parent :line :args {:sku "tea" :qty 2}': {"sku": "tea", "qty": 2},
        ':parent :line :args {:sku "tea" :qty 2 :note "hot"}': {
            "sku": "tea", "qty": 2, "note": "hot",
        },
        ':parent :line :args {:qty {:parent :add :args {:nums [1 2]}} :sku "t"}': {
            "sku": "t", "qty": 3,
        },
        ":parent :empty": {},
        ':parent :priced :args {:sku "t" :price 1.5M}': {"sku": "t", "price": 1.5},
        ":parent :nested :args {:line {:parent :line :args {:sku \"t\" :qty 1}} :points []}": {
            "line": {"sku": "t", "qty": 1}, "points": [],
        },
        ":parent :tree :args {:value 1 :children [{:parent :tree"
        " :args {:value 2 :children []}}]}": {
            "value": 1, "children": [{"value": 2, "children": []}],
        },
        # Extra fields are kept.
        ':parent :nested :args {:line {:sku "t" :qty 1 :more true} :points []}': {
            "line": {"sku": "t", "qty": 1, "more": True}, "points": [],
        },
        # The others check their value and give it back.
        ":parent :small :args {:value 9}": 9,
        ":parent :both :args {:value 9}": 9,
        ':parent :stock :args {:value {"a" 1}}': {"a": 1},
        ":parent :stock :args {:value {}}": {},
        ":parent :point :args {:value [1 2.5]}": [1, 2.5],
        ":parent :point :args {:value [1 2]}": [1, 2],
        ':parent :id :args {:value "a"}': "a",
        ":parent :id :args {:value 5}": 5,
        ':parent :outcome :args {:value {:value [:refused "no"]}}': ["refused", "no"],
        ":parent :outcome :args {:value {:value [:unknown nil]}}": ["unknown", None],
        # A list gives its items.
        ':parent :skus :args {:items ["tea" "jam"]}': ["tea", "jam"],
        ":parent :skus :args {:items []}": [],
        ':parent :skus :args {:items [{:parent :str :args {:parts ["a" 1]}}]}': ["a1"],
        ':parent :skus :args {:items {:value ["tea"]}}': ["tea"],
    },
)  # fmt: skip
def test_2_4_a_type_row_as_a_parent(text, row, expected):
    assert value(text, row) == expected


@pytest.mark.parametrize(
    ("parent", "given", "expected"),
    [
        ("small", 9, 9),
        ("small", 10, Fails("contract-violation")),
        ("small", 9.0, Fails("contract-violation")),
        ("small", True, Fails("contract-violation")),
        ("small", None, Fails("contract-violation")),
        ("both", 0, Fails("contract-violation")),
        ("both", 10, Fails("contract-violation")),
        ("stock", {"a": 10}, Fails("contract-violation")),
        ("stock", {"a": 1, "b": "c"}, Fails("contract-violation")),
        ("stock", [], Fails("contract-violation")),
        ("point", [1, 2.5], [1, 2.5]),
        ("point", [1], Fails("contract-violation")),
        ("point", [1, 2.5, 3], Fails("contract-violation")),
        ("point", [1.5, 2.5], Fails("contract-violation")),
        ("id", 1, 1),
        ("id", 1.5, Fails("contract-violation")),
        ("id", None, Fails("contract-violation")),
        ("outcome", [Keyword("paid"), 9], [Keyword("paid"), 9]),
        ("outcome", ["paid", 9], ["paid", 9]),
        ("outcome", [Keyword("paid"), 10], Fails("contract-violation")),
        ("outcome", [Keyword("paid"), "no"], Fails("contract-violation")),
        ("outcome", [Keyword("refused"), 9], Fails("contract-violation")),
        ("outcome", [Keyword("stolen"), 9], Fails("contract-violation")),
        ("outcome", [Keyword("paid")], Fails("contract-violation")),
        ("outcome", [Keyword("paid"), 1, 2], Fails("contract-violation")),
        ("outcome", Keyword("paid"), Fails("contract-violation")),
        ("tree", {"value": 1, "children": []}, {"value": 1, "children": []}),
    ],
)
def test_2_4_what_a_type_row_lets_through(parent, given, expected):
    if parent == "tree":
        text = TYPES + "{:name :r :parent :identity :return-type :tree}"
    else:
        text = TYPES + f"{{:name :r :parent :{parent} {ANY}}}"
    found = value(text, value=given)
    assert exact(found) == exact(expected)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"value": "x", "children": []}, "at :value "),
        ({"value": 1}, "the field :children is missing"),
        (
            {"value": 1, "children": [{"value": 2, "children": [5]}]},
            "at :children[0]:children[0] ",
        ),
        ({"value": 1, "children": {}}, "at :children "),
    ],
)
def test_2_3_a_type_that_holds_itself_is_checked_to_the_bottom(given, said):
    error = fails(TYPES + "{:name :r :parent :identity :return-type :tree}", value=given)
    assert error.code == "contract-violation"
    assert said in error.message


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ('{:sku "t"}', {"qty": ":int"}),
        ('{:sku "t" :qty {:as :n}}', {"n": ":int"}),
        ("{}", {"sku": ":text", "qty": ":int"}),
    ],
)
def test_2_4_the_fields_of_a_record_are_slots(args, problem):
    found = interface(TYPES + f"{{:name :r :parent :line :args {args}}}", "r")
    assert found.pop("note").startswith(":text?")
    assert found == problem


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("{:name :r :parent :line :args {:sku 1 :qty 1}}", [("type-mismatch", "r", "1")]),
        ("{:name :r :parent :small :args {:value 10}}", [("refinement-violated", "r", "10")]),
        ('{:name :r :parent :small :args {:value "a"}}', [("type-mismatch", "r", '"a"')]),
        ('{:name :r :parent :line :args {:sku "t" :qyt 1}}', [("unknown-slot", "r", ":qyt")]),
        ('{:name :r :parent :skus :args {:items ["a" 1]}}', [("type-mismatch", "r", "1")]),
        ('{:name :r :parent :skus :args {:value ["a"]}}', [("unknown-slot", "r", ":value")]),
        ("{:name :r :parent :small :args {:items [1]}}", [("unknown-slot", "r", ":items")]),
    ],
)
def test_2_4_a_type_row_checks_what_is_bound_below_it(row, expected):
    assert report(TYPES + row) == expected


CONTRACTS = """
{:name :few :refine {:base :int :constraint [:<= 9]}}
{:name :bounded :type {:start :int :end :few}}
{:name :extra :type {:end :few :no-slot :text}}
{:name :start-only :type {:start :few}}
"""


@pytest.mark.parametrize(
    ("parents", "expected"),
    [
        ("[:range :bounded]", {"start": ":int? = 0", "end": ":few", "step": ":int? = 1"}),
        ("[:bounded :range]", {"start": ":int? = 0", "end": ":few", "step": ":int? = 1"}),
        (
            "[:range :bounded :start-only]",
            {"start": ":few? = 0", "end": ":few", "step": ":int? = 1"},
        ),
    ],
)
def test_2_4_a_record_among_several_parents_narrows_slots(parents, expected):
    assert interface(CONTRACTS + f"{{:name :r :parents {parents}}}", "r") == expected


def test_2_4_a_contract_is_checked_like_any_type():
    text = CONTRACTS + "{:name :r :parents [:range :bounded]}"
    assert value(text, end=3) == [0, 1, 2]
    assert value(text, end=10) == Fails("argument-type")
    text = CONTRACTS + "{:name :r :parents [:range :bounded] :args {:end 10}}"
    assert report(text) == [("refinement-violated", "r", "10")]


def test_2_4_a_contract_holds_for_descendants():
    text = CONTRACTS + "{:name :q :parents [:range :bounded]} {:name :r :parent :q}"
    assert interface(text, "r")["end"] == ":few"
    assert value(text, end=10) == Fails("argument-type")


def test_2_3_a_type_row_names_its_type():
    text = TYPES + "{:name :r :parent :identity :args {:value {:as :x :type :line}}}"
    assert interface(text, "r") == {"x": ":line"}
    assert "at :qty " in fails(text, x={"sku": "t", "qty": "2"}).message


def test_2_3_a_callable_type_row():
    text = "{:name :step :fn-type [{:item :int} :int]}" + (
        "{:name :r :parent :call :args {:func {:as :f :type :step} :arg 4}}"
    )
    assert graph(text).run("r", {"f": lambda n: n + 1}) == 5
    assert value(text, f=5) == Fails("argument-type")


@pytest.mark.parametrize(
    "row",
    [
        "{:name :r :type {:a :int :a :text}}",
        "{:name :r :map [:text]}",
        "{:name :r :map [:text :int :int]}",
        "{:name :r :tuple :int}",
        "{:name :r :union []}",
        "{:name :r :union :int}",
        "{:name :r :variant []}",
        "{:name :r :variant [:a]}",
        '{:name :r :variant ["a" :int]}',
        "{:name :r :variant [:a :int :a :text]}",
        "{:name :r :fn-type [:int :int]}",
        "{:name :r :fn-type [{:x :int}]}",
        "{:name :r :fn-type {}}",
        "{:name :r :list [:int]}",
        "{:name :r :refine {:base :int}}",
        "{:name :r :refine {:constraint [:> 0]}}",
        "{:name :r :refine [:> 0]}",
        "{:name :r :type [:a :int]}",
        '{:name :r :type {"a" :int}}',
        "{:name :r :type {:a {:type :int :required 1}}}",
        "{:name :r :type {:a {:required false}}}",
    ],
)
def test_2_3_what_is_no_type_row(row):
    found = report(row)
    assert len(found) == 1
    assert found[0][0] in {"bad-row", "unknown-type", "syntax", "bad-constraint", "unknown-key"}


def test_2_2_only_packages_have_base_functions():
    for row in ("{:name :r :args {:a :int}}", "{:name :r :args {:a :int} :return-type :int}"):
        [(code, name, _)] = report(row)
        assert (code, name) in {("bad-row", "r"), ("signature-mismatch", "r")}
