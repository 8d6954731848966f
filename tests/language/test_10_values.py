"""LANGUAGE 10: values, equality, JSON, numbers."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest

from graphden.edn import Keyword
from tests.language.saying import Fails, exact, report, rows, value

U = "6f1b4c52-3c2e-4a54-9d59-0d4f3b1f2a77"


@rows(
    "",
    {
        ":parent :const :args {:value nil}": None,
        ":parent :const :args {:value false}": False,
        ":parent :const :args {:value 123456789012345678901}": 123456789012345678901,
        ":parent :const :args {:value -0}": 0,
        ":parent :const :args {:value 12N}": 12,
        ":parent :const :args {:value 1.5}": 1.5,
        ":parent :const :args {:value 1e3}": 1000.0,
        ":parent :const :args {:value 1.50M}": Decimal("1.50"),
        ":parent :const :args {:value 3M}": Decimal(3),
        ':parent :const :args {:value "a\\n\\"b\\" \\u00e9"}': 'a\n"b" é',
        ':parent :const :args {:value "😀"}': "😀",
        ":parent :const :args {:value \\a}": "a",
        ":parent :const :args {:value \\newline}": "\n",
        ":parent :const :args {:value {:value :a/b}}": Keyword("a/b"),
        f':parent :const :args {{:value #uuid "{U}"}}': UUID(U),
        ':parent :const :args {:value #inst "2026-01-31T12:00:00Z"}': datetime(
            2026, 1, 31, 12, tzinfo=UTC
        ),
        ':parent :const :args {:value #inst "2026-01-31T12:00:00.25+01:00"}': datetime(
            2026, 1, 31, 12, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=1))
        ),
        ":parent :const :args {:value [1 [2]]}": [1, [2]],
        ":parent :const :args {:value (1 2)}": [1, 2],
        ":parent :const :args {:value #{1 :a}}": frozenset({1, Keyword("a")}),
        ":parent :const :args {:value {1 2, :a nil}}": {1: 2, Keyword("a"): None},
    },
)  # fmt: skip
def test_10_1_edn_in_python(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


def test_10_1_a_keyword_is_a_text_that_shows_as_a_keyword():
    made = value("{:name :r :parent :const :args {:value {:value :sku}}}")
    assert isinstance(made, str)
    assert (made == "sku", str(made), {made: 1}["sku"]) == (True, ":sku", 1)


@pytest.mark.parametrize(
    "form",
    [
        '{:a 1 "a" 2}',
        "#{1 true}",
        "#{0 false}",
        "{1 :a true :b}",
        "{1 :a 1.0 :b}",
        "#{1 1.0}",
        "#{1 1M}",
        '#{:a "a"}',
        "{:a 1 :a 2}",
        "#{1 1}",
        "{[1] 2}",
        "#{[1]}",
        "{{} 1}",
        "#{#{}}",
        "1/2",
        "##NaN",
        "##Inf",
        '#"re"',
        "#other 5",
        "^:meta [1]",
        "007",
        "1a",
        '#inst "2026-01-31"',
        '#uuid "no"',
        '"\\q"',
        "'a",
        "@a",
    ],
)
def test_10_1_what_is_no_value_of_a_row(form):
    found = report("{:name :r :parent :const :args {:value " + form + "}}")
    assert [each[0] for each in found] == ["syntax"]


EQUAL = [
    ["1", "1.0", "1M", "1.00M"],
    ["0", "-0.0", "0M"],
    ["true"],
    ["false"],
    ["nil"],
    ['"a"'],
    ["{:value :a}"],
    ['""'],
    ["[1]", "[1.0]"],
    ["[true]"],
    ["[]"],
    ["{:x 1}", '{"x" 1.0}'],
    ["{:x true}"],
    ["{:x :a}"],
    ['{:x "a"}'],
    ["{}"],
    ["#{1}", "#{1.0}"],
    ["#{true}"],
    ["[[1 {:x [2]}]]", '[[1M {"x" [2.0]}]]'],
    [f'#uuid "{U}"', f'#uuid "{U.upper()}"'],
    [f'"{U}"'],
    ['#inst "2026-01-31T12:00:00Z"', '#inst "2026-01-31T13:00:00+01:00"'],
    ['"2026-01-31T12:00:00Z"'],
]
KEYS_MIXED = ("{:x 1}", "[[1 {:x [2]}]]")
PAIRS = [
    (one, other, left is right)
    for left, right in itertools.combinations_with_replacement(EQUAL, 2)
    for one in left[:1]
    for other in right
]


@pytest.fixture(scope="module")
def compared() -> str:
    """Rows for all pairs, in one graph."""
    text = []
    for n, (one, other, _) in enumerate(PAIRS):
        text.append(f"{{:name :eq-{n} :parent :eq :args {{:values [{one} {other}]}}}}")
        text.append(f"{{:name :neq-{n} :parent :neq :args {{:values [{one} {other}]}}}}")
        text.append(f"{{:name :equal-{n} :parent :equal? :args {{:a {one} :b {other}}}}}")
        text.append(
            f"{{:name :pos-{n} :parent :position-in :args {{:coll [{one}] :value {other}}}}}"
        )
        text.append(
            f"{{:name :dis-{n} :parent :count :args {{:coll {{:parent :distinct"
            f" :args {{:coll [{one} {other}]}}}}}}}}"
        )
        text.append(
            f"{{:name :case-{n} :parent :case :args {{:value {other} :clauses [{one} 1]"
            " :default 0}}"
        )
        text.append(
            f"{{:name :assert-{n} :parent :assert-eq"
            f" :args {{:actual {one} :expected {other}}}}}"
        )
    return "\n".join(text)


@pytest.mark.parametrize("n", range(len(PAIRS)), ids=[f"{a} {b}" for a, b, _ in PAIRS])
def test_10_1_one_equality_everywhere(compared, n):
    same = PAIRS[n][2]
    assert value(compared, f"eq-{n}") is same
    assert value(compared, f"neq-{n}") is not same
    assert value(compared, f"equal-{n}") is same
    assert value(compared, f"pos-{n}") == (0 if same else None)
    if PAIRS[n][0] not in KEYS_MIXED:
        assert value(compared, f"dis-{n}") == (1 if same else 2)
    assert value(compared, f"case-{n}") == int(same)
    assert (value(compared, f"assert-{n}") != Fails("assertion-failed")) is same


@rows(
    "",
    {
        ':parent :distinct :args {:coll [{:x 1} {"x" 1.0}]}': [{"x": 1}],
        ':parent :merge :args {:maps [{:a 1} {"a" 2}]}': {"a": 2},
        ':parent :list :args {:items [{:a 1} {"a" 2}]}': [{"a": 1}, {"a": 2}],
    },
)
def test_10_1_maps_with_keyword_keys_go_with_maps_with_text_keys(text, row, expected):
    assert value(text, row) == expected


@rows(
    "",
    {
        ':parent :get :args {:coll {"sku" 1} :key {:value :sku}}': 1,
        ':parent :get :args {:coll {:sku 1} :key "sku"}': 1,
        ':parent :contains? :args {:coll {:sku 1} :key "sku"}': True,
        ':parent :contains? :args {:coll #{:a} :key "a"}': False,
        ":parent :contains? :args {:coll #{1} :key true}": False,
        ":parent :contains? :args {:coll #{1} :key 1.0}": True,
        ":parent :contains? :args {:coll {1 2} :key true}": False,
        ':parent :assoc :args {:map {:a 1} :key "a" :value 2}': {"a": 2},
        ':parent :dissoc :args {:map {"a" 1} :key {:value :a}}': {},
    },
)
def test_10_1_a_keyword_as_a_key_equals_its_text(text, row, expected):
    assert value(text, row) == expected


@rows(
    "",
    {
        ":parent :to-json :args {:data nil}": "null",
        ":parent :to-json :args {:data true}": "true",
        ":parent :to-json :args {:data 12345678901234567890123}": "12345678901234567890123",
        ":parent :to-json :args {:data 1.5}": "1.5",
        ":parent :to-json :args {:data 1.50M}": "1.50",
        ':parent :to-json :args {:data "é\\""}': '"é\\""',
        ":parent :to-json :args {:data {:value :a/b}}": '"a/b"',
        ":parent :to-json :args {:data {:a [:b nil]}}": '{"a":[:b,null]}'.replace(":b", '"b"'),
        f':parent :to-json :args {{:data #uuid "{U}"}}': f'"{U}"',
        ':parent :to-json :args {:data #inst "2026-01-31T12:00:00Z"}': '"2026-01-31T12:00:00Z"',
        ":parent :to-json :args {:data {}}": "{}",
        ":parent :to-json :args {:data {:parent :const :args {:value #{1}}}}": Fails(
            "invalid-argument"
        ),
        ':parent :parse-json :args {:string "{\\"a\\": 1.0}"}': {Keyword("a"): 1.0},
        ':parent :parse-json :args {:string "{\\"a\\": 1.0}" :keywordize false}': {"a": 1.0},
        ':parent :parse-json :args {:string "[1, 1.5, 1e2, -0]"}': [1, 1.5, 100.0, 0],
        ':parent :parse-json :args {:string "12345678901234567890"}': 12345678901234567890,
        ':parent :parse-json :args {:string " null "}': None,
        ':parent :parse-json :args {:string "NaN"}': Fails("malformed-json"),
        ':parent :parse-json :args {:string "Infinity"}': Fails("malformed-json"),
        ':parent :parse-json :args {:string ""}': Fails("malformed-json"),
        ':parent :parse-json :args {:string "1 2"}': Fails("malformed-json"),
        ":parent :parse-json :args {:string \"{'a': 1}\"}": Fails("malformed-json"),
        ':parent :parse-json :args {:string "[1,]"}': Fails("malformed-json"),
        ':parent :parse-json :args {:string "{\\"a\\": 1, \\"a\\": 2}"}': {Keyword("a"): 2},
        ':parent :parse-json :args {:string "\\"\\\\ud83d\\\\ude00\\""}': "😀",
    },
)
def test_10_2_json(text, row, expected):
    assert exact(value(text, row)) == exact(expected)


@pytest.mark.parametrize(
    "given", [float("nan"), float("inf"), [float("-inf")], {"a": {"b": float("nan")}}]
)
def test_10_2_nan_and_infinities_are_no_json(given):
    text = "{:name :r :parent :to-json :args {:data {:as :x}}}"
    assert value(text, x=given) == Fails("invalid-argument")
    crossing = """
    {:name :given :parent :identity :args {:value {:as :x}}}
    {:name :r :parent :to-json :args {:data {:type :jsonb :ref :given}}}
    """
    assert value(crossing, x=given) == Fails("contract-violation")


@pytest.mark.parametrize(
    ("row", "needed"),
    [
        (":parent :mul :args {:nums [1e308 {:as :x}]}", 10.0),
        (":parent :add :args {:nums [1.7e308 {:as :x}]}", 1.7e308),
        (":parent :sub :args {:nums [-1.7e308 {:as :x}]}", 1.7e308),
        (":parent :div :args {:nums [1e308 {:as :x}]}", 1e-10),
        (":parent :quot :args {:dividend 1e308 :divisor {:as :x}}", 1e-10),
        (":parent :reduce :args {:func :twice :init 1e308 :coll [1 {:as :x}]}", 10.0),
        (":parent :map :args {:func :scaled :coll [1e308]}", 10.0),
    ],
)
def test_10_2_no_row_makes_a_number_beyond_the_floats(row, needed):
    text = """
    {:name :twice :parent :mul :args {:nums
     [{:parent :get :args {:coll {:as :pair} :key 0}}
      {:parent :get :args {:coll {:as :pair} :key 1}}]}}
    {:name :scaled :parent :mul :args {:nums [{:as :item} {:as :x}]}}
    """
    assert value(f"{text} {{:name :r {row}}}", x=needed) == Fails("invalid-argument")


@rows(
    "",
    {
        ':parent :str-len :args {:string "😀é"}': 2,
        ':parent :count :args {:coll "😀é"}': 2,
        ':parent :subs :args {:string "a😀b" :start 1 :end 2}': "😀",
        ':parent :byte-len :args {:string "😀"}': 4,
        ":parent :div :args {:nums [6 3]}": 2,
        ":parent :div :args {:nums [6 4]}": 1.5,
        ":parent :div :args {:nums [-6 3]}": -2,
        ":parent :div :args {:nums [12 3 2]}": 2,
        ":parent :div :args {:nums [0 5]}": 0,
        ":parent :div :args {:nums [6.0 3]}": 2.0,
        ":parent :div :args {:nums [100000000000000000000 10]}": 10**19,
        ":parent :div :args {:nums [2M 3]}": Decimal("0.6666666666666666666666666667"),
        ":parent :div :args {:nums [1M 8]}": Decimal("0.125"),
        ":parent :div :args {:nums [2M 3.0]}": Fails("invalid-argument"),
        ":parent :add :args {:nums [1.5 1M]}": Fails("invalid-argument"),
        ":parent :add :args {:nums [1 1M]}": Decimal(2),
        ":parent :add :args {:nums [1 1.5]}": 2.5,
        ":parent :mul :args {:nums [1.5 2M]}": Fails("invalid-argument"),
        ":parent :sub :args {:nums [1M 0.5]}": Fails("invalid-argument"),
        ":parent :div :args {:nums [1.0 0.0]}": Fails("division-by-zero"),
        ":parent :div :args {:nums [1M 0M]}": Fails("division-by-zero"),
        ":parent :lt :args {:nums [1 1.5 2M]}": True,
    },
)
def test_10_3_texts_and_numbers(text, row, expected):
    assert exact(value(text, row)) == exact(expected)
