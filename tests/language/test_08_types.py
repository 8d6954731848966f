"""LANGUAGE 8: what fits what, what is inferred, where values are checked."""

from __future__ import annotations

from decimal import Decimal

import pytest

from graphden import RunError
from graphden.edn import Keyword
from tests.language.saying import Fails, exact, fails, graph, report, rows, value
from tests.read.reports import interface

TYPES = """
{:name :few :refine {:base :int :constraint [:< 10]}}
{:name :fewer :refine {:base :int :constraint [:< 5]}}
{:name :between :refine {:base :int :constraint [:and [:> 0] [:< 5]]}}
{:name :upto :refine {:base :int :constraint [:<= 9]}}
{:name :one-of :refine {:base :int :constraint [:in [1 2 3]]}}
{:name :two :refine {:base :int :constraint [:= 2]}}
{:name :either :refine {:base :int :constraint [:or [:= 1] [:= 2]]}}
{:name :not-two :refine {:base :int :constraint [:not= 2]}}
{:name :of-few :refine {:base :few :constraint [:> 0]}}
{:name :word :refine {:base :text :constraint [:matches "^a"]}}
{:name :line :type {:sku :text :qty :int}}
{:name :noted :type {:sku :text :qty :int :note :text}}
{:name :perhaps :type {:sku :text :qty {:type :int :required false}}}
{:name :sku :type {:sku :text}}
{:name :few-line :type {:sku :text :qty :few}}
{:name :paid :variant [:paid :int :free :null]}
{:name :paid-more :variant [:paid :numeric :free :null :owed :int]}
"""

YES = [
    ("int", "int"), ("int", "float"), ("int", "numeric"), ("float", "numeric"),
    ("decimal", "numeric"), ("int", "any"), ("never", "int"), ("never", "text"),
    ("null", "any"),
    ("bool", "any"), ("int", "jsonb"), ("text", "jsonb"), ("keyword", "jsonb"),
    ("uuid", "jsonb"), ("timestamptz", "jsonb"), ("null", "jsonb"), ("bool", "jsonb"),
    ("decimal", "jsonb"), ("few", "int"), ("few", "numeric"), ("fewer", "few"),
    ("between", "few"), ("between", "fewer"), ("upto", "few"), ("one-of", "few"),
    ("two", "one-of"), ("two", "either"), ("either", "one-of"), ("two", "few"),
    ("of-few", "int"), ("word", "text"), ("word", "jsonb"),
    ("noted", "line"), ("line", "sku"), ("noted", "sku"), ("line", "perhaps"),
    ("few-line", "line"), ("line", "jsonb"), ("[:list :int]", "[:list :numeric]"),
    ("[:list :few]", "[:list :int]"), ("[:list :int]", "jsonb"),
    ("[:map :text :int]", "[:map :text :numeric]"), ("[:map :keyword :int]", "jsonb"),
    ("[:tuple :int :text]", "[:tuple :numeric :any]"), ("[:union :int :text]", "any"),
    ("[:union :int :float]", "numeric"), ("int", "[:union :int :text]"),
    ("[:union :int :text]", "[:union :text :null :int]"), ("[:union :few :fewer]", "int"),
    ("int", "[:secret :int]"), ("int", "[:secret :numeric]"), ("paid", "paid-more"),
    ("nullable-int", "[:union :null :int]"), ("int", "nullable-int"), ("null", "nullable-int"),
    ("positive-int", "non-negative-int"), ("positive-int", "positive-numeric"),
    ("port", "positive-int"), ("http-status", "positive-int"), ("non-blank-text", "text"),
    ("keyword-map", "jsonb"), ("[:secret :few]", "[:secret :int]"),
    ("one-of", "positive-int"),

]  # fmt: skip
NO = [
    ("float", "int"), ("numeric", "int"), ("decimal", "float"), ("float", "decimal"),
    ("int", "decimal"), ("bool", "int"), ("bool", "numeric"), ("int", "bool"), ("int", "text"),
    ("text", "keyword"), ("keyword", "text"), ("null", "int"), ("int", "null"),
    ("uuid", "text"), ("bytes", "jsonb"), ("int", "never"), ("int", "few"), ("few", "fewer"),
    ("fewer", "between"), ("few", "one-of"), ("one-of", "two"), ("one-of", "either"),
    ("few", "not-two"), ("text", "word"), ("line", "noted"), ("perhaps", "line"),
    ("sku", "line"), ("line", "few-line"), ("[:list :numeric]", "[:list :int]"),
    ("[:list :text]", "[:list :int]"), ("[:list :bytes]", "jsonb"),
    ("[:map :int :int]", "jsonb"), ("[:map :text :bytes]", "jsonb"),
    ("[:map :text :int]", "[:map :text :text]"), ("[:tuple :int :text]", "[:tuple :int]"),
    ("[:tuple :int]", "[:tuple :int :text]"), ("[:tuple :text :int]", "[:tuple :int :text]"),
    ("[:union :int :text]", "int"), ("[:union :int :null]", "int"), ("nullable-int", "int"),
    ("[:secret :int]", "int"), ("[:secret :int]", "numeric"), ("[:secret :text]", "jsonb"),
    ("paid-more", "paid"),


    ("[:list :int]", "[:map :text :int]"), ("line", "[:list :any]"),
    ("non-negative-int", "positive-int"), ("positive-int", "port"), ("int", "uuid"),
    ("timestamptz", "text"), ("[:list :int]", "int"), ("int", "[:list :int]"),
    ("line", "text"), ("keyword", "uuid"),
]  # fmt: skip


def typed(name: str) -> str:
    return name if name.startswith("[") else f":{name}"


@pytest.mark.parametrize(("one", "other"), YES)
def test_8_2_every_value_of_the_first_fits_the_second(one, other):
    assert report(flow(one, other)) == []


@pytest.mark.parametrize(("one", "other"), NO)
def test_8_2_the_first_does_not_fit_the_second(one, other):
    found = {each[:2] for each in report(flow(one, other))}
    assert len(found) == 1
    assert found < {
        ("type-mismatch", "r"), ("missing-field", "r"), ("refinement-violated", "r"),
        ("secret-flow", "r"), ("not-callable", "r"),
    }  # fmt: skip


def flow(one: str, other: str) -> str:
    """Rows in which a value of the first type stands where the second is asked for."""
    return TYPES + (
        "{:name :source :parent :identity"
        f" :args {{:value {{:as :given :type {typed(one)}}}}}}}"
        f"{{:name :target :type {{:f {typed(other)}}}}}"
        "{:name :r :parent :target :args {:f :source}}"
    )


def test_8_2_a_refinement_is_in_its_base_also_when_that_is_a_refinement():
    assert report(flow("of-few", "few")) == []


@pytest.mark.parametrize(
    ("base", "constraint", "inside", "outside"),
    [
        (":numeric", "[:> 0]", [1, 0.5, Decimal("0.1")], [0, -1, 0.0]),
        (":numeric", "[:>= 0]", [0, 0.0, 1], [-0.1, -1]),
        (":numeric", "[:< 1.5]", [1, 1.4], [1.5, 2]),
        (":numeric", "[:<= 1M]", [1, 1.0, Decimal(1)], [Decimal("1.01")]),
        (":any", "[:= 1]", [1, 1.0, Decimal(1)], [True, "1", 2]),
        (":any", "[:= :a]", [Keyword("a")], ["a"]),
        (":any", '[:= "a"]', ["a"], [Keyword("a")]),
        (":any", "[:= nil]", [None], [False, 0]),
        (":any", "[:= [1 [2]]]", [[1, [2]], [1.0, [2]]], [[1, [3]], [1], [True, [2]]]),
        (":any", "[:not= nil]", [0, False, ""], [None]),
        (":any", "[:in [1 :a nil]]", [1, 1.0, Keyword("a"), None], [True, "a", 2]),
        (":any", "[:in []]", [], [1, None]),
        (":text", '[:matches "b"]', ["b", "abc"], ["a", ""]),
        (":text", '[:matches "^b$"]', ["b"], ["abc", "b\nc"]),
        (":text", '[:matches ""]', ["", "a"], []),
        (":int", "[:and [:> 0] [:< 3]]", [1, 2], [0, 3]),
        (":int", "[:or [:< 0] [:> 3]]", [-1, 4], [0, 3]),
        (":int", "[:and [:or [:= 1] [:= 2]] [:not= 1]]", [2], [1, 3]),
        (":keyword", "[:in [:a :b]]", [Keyword("a")], [Keyword("c")]),
    ],
)
def test_8_3_constraints(base, constraint, inside, outside):
    text = (
        f"{{:name :t :refine {{:base {base} :constraint {constraint}}}}}"
        "{:name :r :parent :t :args {:value {:as :value :type :any}}}"
    )
    for each in inside:
        assert exact(value(text, value=each)) == exact(each)
    for each in outside:
        assert value(text, value=each) == Fails("contract-violation")


INFERRED = """
{:name :line :type {:sku :text :qty :int :note {:type :text :required false}}}
{:name :one :parent :line :args {:sku "t" :qty 1}}
{:name :given :parent :identity :args {:value {:as :line :type :line}}}
{:name :n :parent :identity :args {:value {:as :n :type :int}}}
{:name :x :parent :identity :args {:value {:as :x :type :float}}}
{:name :s :parent :identity :args {:value {:as :s :type :text}}}
{:name :ns :parent :identity :args {:value {:as :ns :type [:list :int]}}}
{:name :maybe :parent :identity :args {:value {:as :maybe :type :nullable-int}}}
{:name :flag :parent :identity :args {:value {:as :flag :type :bool}}}
{:name :m :parent :identity :args {:value {:as :m :type [:map :text :int]}}}
{:name :double :parent :mul :args {:nums [{:as :item :type :int} 2]}}
{:name :small :parent :lt :args {:nums [{:as :item} 2]}}
"""


@rows(
    INFERRED,
    {
        # variables are solved per use
        ":parent :identity :args {:value :n}": ":int",
        ":parent :identity :args {:value :s}": ":text",
        ":parent :list :args {:items [:n :n]}": "[:tuple :int :int]",
        ":parent :list :args {:items [:n :s]}": "[:tuple :int :text]",
        ":parent :map :args {:func :double :coll :ns}": "[:list :int]",
        ":parent :map :args {:func :small :coll :ns}": "[:list :bool]",
        ":parent :filter :args {:pred :small :coll :ns}": "[:list :int]",
        ":parent :reverse :args {:coll :ns}": "[:list :int]",
        ":parent :constantly :args {:value :n}": None,
        # choices give unions
        ":parent :if :args {:test :flag :then :n :else :s}": "[:union :int :text]",
        ":parent :if :args {:test :flag :then :n :else :n}": ":int",
        ":parent :if :args {:test :flag :then :n}": "[:union :int :null]",
        ":parent :cond :args {:clauses [:flag :n true :s]}": "[:union :int :text]",
        ":parent :cond :args {:clauses [:flag :n]}": "[:union :int :null]",
        ":parent :case :args {:value :n :clauses [1 :s] :default :n}": "[:union :int :text]",
        # get on a known record gives the field
        ":parent :get :args {:coll :given :key {:value :qty}}": ":int",
        ':parent :get :args {:coll :given :key "qty"}': ":int",
        ":parent :get :args {:coll :given :key {:value :note}}": "[:union :null :text]",
        ':parent :get :args {:coll :given :key {:value :note} :default ""}': ":text",
        ':parent :get :args {:coll :m :key "a"}': "[:union :int :null]",
        ':parent :get :args {:coll :m :key "a" :default 0}': ":int",
        # null is stripped, or added
        ":parent :coalesce :args {:value :maybe :default 0}": ":int",
        ":parent :coalesce :args {:value :maybe :default :s}": "[:union :int :text]",
        ":parent :assert-some :args {:value :maybe}": ":int",
        ":parent :first :args {:coll :ns}": "[:union :int :null]",
        # arithmetic on ints stays int, except div
        ":parent :add :args {:nums [:n 1]}": ":int",
        ":parent :mul :args {:nums [:n :n]}": ":int",
        ":parent :sub :args {:nums [:n 1]}": ":int",
        ":parent :neg :args {:number :n}": ":int",
        ":parent :abs :args {:number :n}": ":int",
        ":parent :mod :args {:dividend :n :divisor 2}": ":int",
        ":parent :quot :args {:dividend :n :divisor 2}": ":int",
        ":parent :add :args {:nums [:n :x]}": None,
        ":parent :div :args {:nums [:n 2]}": None,
        ":parent :eq :args {:values [:n :s]}": ":bool",
        ":parent :count :args {:coll :ns}": None,
    },
)
def test_8_4_what_is_inferred(text, row, expected):
    found = str(inferred(text, row))
    if expected is None:
        assert found not in {":any", ":jsonb"}
    elif found.startswith("[:union"):
        assert sorted(found.strip("[]").split()) == sorted(expected.strip("[]").split())
    else:
        assert found == expected


def inferred(text: str, row: str) -> object:
    made = graph(text)
    return made.inference.row(made.resolved(row).id).result


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (":parent :assoc :args {:map :given :key {:value :more} :value :n}",
         {"sku": ":text", "qty": ":int", "more": ":int"}),
        (":parent :assoc :args {:map :given :key {:value :qty} :value :s}",
         {"sku": ":text", "qty": ":text"}),
        (":parent :dissoc :args {:map :given :key {:value :qty}}", {"sku": ":text"}),
        (":parent :merge :args {:maps [:given {:a 1}]}",
         {"sku": ":text", "qty": ":int", "a": ":int"}),
        (":parent :merge :args {:maps [:given {:qty \"x\"}]}", {"qty": ":text"}),
        (":parent :select-keys :args {:m :given :ks [{:value :sku}]}", {"sku": ":text"}),
        (":parent :zipmap :args {:keys {:value [:a :b]} :vals [:n :s]}",
         {"a": ":int", "b": ":text"}),
    ],
)  # fmt: skip
def test_8_4_literal_keys_are_followed(body, fields):
    """A field is known when `get` of it is."""
    for field, type_ in fields.items():
        text = INFERRED + (
            f"{{:name :made {body}}}"
            f"{{:name :r :parent :get :args {{:coll :made :key {{:value :{field}}}}}}}"
        )
        assert report(text) == []
        assert str(inferred(text, "r")) == type_


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (":parent :str-len :args {:string :n}", ["type-mismatch"]),
        (":parent :add :args {:nums [:s]}", ["type-mismatch"]),
        (":parent :add :args {:nums [1 \"2\"]}", ["type-mismatch"]),
        (":parent :add :args {:nums [true]}", ["type-mismatch"]),
        (":parent :map :args {:func :double :coll :s}", ["type-mismatch"]),
        (":parent :map :args {:func :double :coll [\"a\"]}", ["type-mismatch"]),
        (":parent :str-upper :args {:string :maybe}", ["type-mismatch"]),
        (":parent :str-len :args {:string {:parent :if :args {:test :flag :then :s :else :n}}}",
         ["type-mismatch"]),
        (":parent :neg :args {:number {:parent :first :args {:coll :ns}}}", ["type-mismatch"]),
        (":parent :neg :args {:number {:parent :assert-some :args {:value {:parent :first"
         " :args {:coll :ns}}}}}", []),
        (":parent :neg :args {:number {:parent :get :args {:coll :given :key {:value :qty}}}}",
         []),
        (":parent :neg :args {:number {:parent :get :args {:coll :given :key {:value :sku}}}}",
         ["type-mismatch"]),
        (":parent :port :args {:value 0}", ["refinement-violated"]),
        # A refinement as a parent checks what is not known to obey it (2.4).
        (":parent :port :args {:value :n}", []),
        (":parent :identity :return-type :int :args {:value :n}", []),
        (":parent :identity :return-type :numeric :args {:value :n}", []),
        (":parent :identity :return-type :any :args {:value :n}", []),
        (":parent :identity :return-type :text :args {:value :n}", ["type-mismatch"]),
        (":parent :parse-json :return-type :line :args {:string :s :keywordize true}", []),
        (":parent :line :args {:sku :n :qty 1}", ["type-mismatch"]),
    ],
)  # fmt: skip
def test_8_4_what_cannot_fit_is_a_diagnostic(body, expected):
    found = report(INFERRED + f"{{:name :r {body}}}")
    assert [each[:2] for each in found] == [(code, "r") for code in expected]


GRADUAL = """
{:name :line :type {:sku :text :qty :positive-int :tags {:type [:list :text] :required false}}}
{:name :json :parent :parse-json :args {:string {:as :json} :keywordize true}}
{:name :read :parent :json :return-type :line}
{:name :lines :parent :json :return-type [:list :line]}
{:name :handed :parent :identity :args {:value {:type :line :ref :json}}}
{:name :number :parent :add :args {:nums [{:parent :get :args {:coll :json :key "n"}} 1]}}
{:name :text :parent :str-len :args {:string :json}}
{:name :built :parent :line :args {:sku {:parent :get :args {:coll :json :key "s"}} :qty 1}}
{:name :each :parent :map :args {:func {:parent :str-upper} :coll :json}}
{:name :unread :parent :if :args {:test true :then 1 :else :read}}
{:name :claims :parent :identity :return-type :int :args {:value {:as :x}}}
"""


@pytest.mark.parametrize(
    ("row", "json", "expected"),
    [
        ("read", '{"sku": "t", "qty": 1}', {"sku": "t", "qty": 1}),
        ("read", '{"sku": "t", "qty": 1, "more": [1]}', {"sku": "t", "qty": 1, "more": [1]}),
        ("read", '{"sku": "t", "qty": 0}', Fails("contract-violation")),
        ("read", '{"sku": "t", "qty": 1.0}', Fails("contract-violation")),
        ("read", '{"sku": "t", "qty": true}', Fails("contract-violation")),
        ("read", '{"sku": "t"}', Fails("contract-violation")),
        ("read", '{"sku": null, "qty": 1}', Fails("contract-violation")),
        ("read", '{"sku": "t", "qty": 1, "tags": null}', Fails("contract-violation")),
        (
            "read",
            '{"sku": "t", "qty": 1, "tags": ["a"]}',
            {"sku": "t", "qty": 1, "tags": ["a"]},
        ),
        ("read", "[]", Fails("contract-violation")),
        ("read", "nul", Fails("malformed-json")),
        ("lines", "[]", []),
        ("lines", '[{"sku": "t", "qty": 1}, {"sku": "t"}]', Fails("contract-violation")),
        ("handed", '{"sku": 1, "qty": 1}', Fails("contract-violation")),
        ("handed", '{"sku": "t", "qty": 1}', {"sku": "t", "qty": 1}),
        ("number", '{"n": 2}', 3),
        ("number", '{"n": "2"}', Fails("contract-violation")),
        ("number", '{"n": true}', Fails("contract-violation")),
        ("number", "{}", Fails("contract-violation")),
        ("text", '"abc"', 3),
        ("text", "3", Fails("contract-violation")),
        ("built", '{"s": "t"}', {"sku": "t", "qty": 1}),
        ("built", '{"s": 2}', Fails("contract-violation")),
        ("each", '["a"]', ["A"]),
        ("each", '["a", 1]', Fails("contract-violation")),
        ("each", "3", Fails("contract-violation")),
        ("unread", "oops", 1),
    ],
)
def test_8_5_what_is_not_known_is_checked_where_it_flows_into_a_type(row, json, expected):
    assert report(GRADUAL) == []
    assert value(GRADUAL, row, json=json) == expected


@pytest.mark.parametrize(
    ("row", "json", "said"),
    [
        ("read", '{"sku": "t", "qty": 0}', [":line", "qty", "0"]),
        (
            "read",
            '{"sku": "t", "qty": 1, "tags": ["a", 5]}',
            [":line", "tags", "1", "5", ":text"],
        ),
        ("lines", '[{"sku": "t", "qty": 1}, {"sku": 7, "qty": 1}]', ["1", "sku", "7", ":text"]),
        ("read", '{"sku": "t"}', [":line", "qty"]),
    ],
)
def test_8_5_the_error_tells_row_path_what_was_expected_and_what_came(row, json, said):
    error = fails(GRADUAL, row, json=json)
    assert error.code == "contract-violation"
    assert error.row == row
    for each in said:
        assert each in error.message, error.message


@pytest.mark.parametrize(
    ("given", "expected"),
    [(1, 1), (True, Fails("contract-violation")), (1.0, Fails("contract-violation")),
     (None, Fails("contract-violation")), (10**30, 10**30)],
)  # fmt: skip
def test_8_5_a_return_type_that_is_not_implied_is_a_checked_claim(given, expected):
    assert exact(value(GRADUAL, "claims", x=given)) == exact(expected)


EFFECTS = """
{:name :pure :parent :add :args {:nums [1]}}
{:name :reads :parent :env :args {:name "HOME"}}
{:name :clock :parent :current-time-ms}
{:name :chance :parent :uuid}
{:name :says :parent :log :args {:level {:value :info} :message "m" :data nil}}
{:name :cell :parent :atom :args {:initial-value 0}}
"""


@pytest.mark.parametrize(
    ("body", "effects"),
    [
        (":parent :identity :args {:value :pure}", ""),
        (":parent :identity :args {:value :clock}", "time"),
        (":parent :list :args {:items [:clock :chance :reads]}", "time random env"),
        (":parent :map :args {:func :clock :coll [1]}", "time"),
        (":parent :if :args {:test true :then 1 :else :clock}", "time"),
        (":parent :identity :args {:value {:as :x :ref :clock}}", "time"),
        (
            ":parent :const :args {:value {:parent :list :args {:items [{:parent :clock}]}}}",
            "time",
        ),
        (":parent :says", "io"),
        (":parent :identity :args {:value :cell}", "state"),
        (':parent :queue-publish :args {:queue "q"}', None),
    ],
)
def test_8_6_effects_are_those_of_all_that_is_reached(body, effects):
    row = f"{{:name :r {body}}}"
    found = graph(EFFECTS + row).resolved("r").effects
    if effects is None:
        assert "db" in found
        return
    assert set(found) == set(effects.split())
    promise = " ".join(f":{each}" for each in effects.split())
    promised = f"{{:name :r :expects-effects #{{{promise}}} {body}}}"
    assert report(EFFECTS + promised) == []
    if effects:
        less = f"{{:name :r :expects-effects #{{}} {body}}}"
        assert [each[:2] for each in report(EFFECTS + less)] == [("effect-not-allowed", "r")]


SECRETS = """
{:name :key :parent :identity :args {:value {:as :key :type [:secret :text]}}}
{:name :takes :parent :identity :args {:value {:as :s :type [:secret :text]}}}
{:name :handed :parent :identity :args {:value :takes :s :key}}
"""


@pytest.mark.parametrize(
    "body",
    [
        ":parent :str :args {:parts [:key]}",
        ":parent :str-len :args {:string :key}",
        ":parent :eq :args {:values [:key :key]}",
        ":parent :to-json :args {:data :key}",
        ":parent :log-warn :args {:message :key}",
        ":parent :map :args {:func {:parent :str-upper} :coll [:key]}",
        ":parent :throw :args {:exception :key}",
        ":parent :get :args {:coll {:a 1} :key :key}",
    ],
)
def test_8_7_a_secret_flows_into_no_other_slot(body):
    found = report(SECRETS + f"{{:name :r {body}}}")
    assert {each[:2] for each in found} == {("secret-flow", "r")}


@pytest.mark.parametrize("row", ["key", "handed"])
def test_8_7_a_secret_in_a_result_is_hidden(row):
    found = value(SECRETS, row, key="sesame")
    assert "sesame" not in repr(found) + str(found)


def test_8_7_a_secret_that_does_not_fit_is_not_told():
    error = fails(SECRETS, "key", key=5551234)
    assert error.code == "argument-type"
    assert "5551234" not in str(error) + repr(error)


def test_8_7_no_text_of_an_error_tells_a_secret():
    text = SECRETS + "{:name :r :parent :assert-eq :args {:actual :key :expected 1}}"
    error = fails(text, key="sesame")
    assert error.code == "assertion-failed"
    assert "sesame" not in str(error)


@pytest.mark.parametrize(
    "given",
    [b"x", {1: 2}, frozenset({1}), object(), {"a": [b"x"]}],
    ids=lambda each: repr(each)[:9],
)
def test_8_2_what_is_no_json_is_no_jsonb(given):
    text = "{:name :r :parent :str :args {:parts [{:as :x :type :jsonb}]}}"
    assert value(text, x=given) == Fails("argument-type")


@pytest.mark.parametrize(
    "row",
    [
        ":list a",
        ":type {:field [:map :text a]}",
        ":fn-type [{:item a} :int]",
        ":parent :const :args {:value {:as :x :type a}}",
        ":parent :const :return-type [:list a] :args {:value 1}",
        ":parent :identity :args {:value {:parent :const :args {:value {:as :x :type a}}}}",
    ],
)
def test_8_1_only_base_functions_have_type_variables(row):
    assert report(f"{{:name :r {row}}}") == [("bad-row", "r", "a")]


def test_8_1_what_a_base_function_leaves_open_is_any():
    text = "{:name :r :parent :const}"
    assert interface(text, "r") == {"value": ":any"}
    with pytest.raises(RunError, match=r":value \(:any\) is missing"):
        graph(text).run("r")
