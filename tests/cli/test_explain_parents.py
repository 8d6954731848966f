"""`graphden explain` for rows of several parents: who of them did what (LANGUAGE 3)."""

from __future__ import annotations

from tests.cli.test_explain import actions, entries, without_library_lines

LOOKUPS = """\
{:name :lookup  :parent :get :args {:key {:as :field :type :keyword} :coll {:as :order}}}
{:name :in-shop :parent :lookup :args {:order {:type [:map :keyword :numeric] :terminal true}}}
{:name :or-zero :parent :lookup :args {:default 0}}
{:name :shape   :type {:order [:map :keyword :int] :sku :text}}
{:name :amount  :parents [:in-shop :or-zero :shape] :args {:field {:value :amount}}}
{:name :gross   :parent :amount}
"""

SUMS = """\
{:name :a-b    :parent :add :args {:nums [{:as :a} {:as :b}]}}
{:name :with-c :parent :a-b :args {:nums [{:as :c}]}}
{:name :with-d :parent :a-b :args {:nums [{:as :d :type :int}]}}
{:name :all    :parents [:with-c :with-d] :args {:nums [7] :c 3}}
{:name :below  :parent :all :args {:d {:as :dee :value 4}}}
"""


def test_3_4_each_parent_tells_what_it_did_and_a_contract_what_it_narrows(run, rows):
    rows(LOOKUPS)
    assert without_library_lines(run("explain", "amount").out) == (
        ":amount  rows.edn:5:1\n"
        "├─ :order [:map :keyword :int]  open, required\n"
        "│  ├─ :get declares :any  stdlib_graphs/collections.edn\n"
        "│  ├─ :lookup names it :order  rows.edn:1:76\n"
        "│  ├─ :in-shop narrows it to [:map :keyword :numeric], "
        "refuses bindings below (terminal)  rows.edn:2:47\n"
        "│  └─ :shape narrows it to [:map :keyword :int]  rows.edn:4:8\n"
        "├─ :field :keyword = {:value :amount}\n"
        "│  ├─ :get declares :any  stdlib_graphs/collections.edn\n"
        "│  ├─ :lookup names it :field, narrows it to :keyword  rows.edn:1:42\n"
        "│  └─ :amount binds it to {:value :amount}  rows.edn:5:67\n"
        "└─ :default :any = 0\n"
        "   ├─ :get declares :any, optional  stdlib_graphs/collections.edn\n"
        "   └─ :or-zero binds it to 0  rows.edn:3:49\n"
    )


def test_3_4_what_several_parents_did_is_told_below_them_too(run, rows):
    rows(LOOKUPS)
    above, below = entries(run, "amount"), entries(run, "gross")
    assert {name: actions(entry) for name, entry in below.items()} == {
        name: actions(entry) for name, entry in above.items()
    }


def test_3_4_items_are_told_in_the_order_in_which_they_join(run, rows):
    rows(SUMS)
    nums = entries(run, "all")["nums"]
    assert nums["value"] == "[{:as :a} {:as :b} {:as :c} {:as :d} 7]"
    assert actions(nums) == [
        ("a-b", 1, 42, ["bound"]),
        ("with-c", 2, 42, ["added"]),
        ("with-d", 3, 42, ["added"]),
        ("all", 4, 56, ["added"]),
    ]


def test_3_2_a_slot_reached_twice_is_told_once(run, rows):
    rows(
        "{:name :top :parent :get :args {:key {:value :a}}}\n"
        "{:name :one :parent :top :args {:coll {:as :here}}}\n"
        "{:name :two :parent :one :args {:default 1}}\n"
        "{:name :both :parents [:two :one]}"
    )
    found = entries(run, "both")
    assert actions(found["key"]) == [("top", 1, 38, ["bound"])]
    assert actions(found["here"]) == [("one", 2, 39, ["renamed"])]
    assert actions(found["default"]) == [("two", 3, 42, ["bound"])]


def test_4_5_an_item_that_is_renamed_below_tells_where_it_was_opened(run, rows):
    rows(SUMS)
    dee = entries(run, "below")["dee"]
    assert actions(dee) == [
        ("with-d", 3, 43, ["narrowed"]),
        ("below", 5, 39, ["renamed", "default"]),
    ]
    [need] = dee["needed"]
    assert (need["row"], need["slot"], need["item"]) == ("with-d", "nums", 0)
    assert (need["line"], need["column"]) == (3, 43)


def test_a_slot_of_one_parent_only_and_one_that_none_has(run, rows):
    rows(LOOKUPS)
    [default] = entries(run, "amount", ":default").values()
    assert actions(default) == [("or-zero", 3, 49, ["bound"])]
    result = run("explain", "amount", ":sku")
    assert (result.code, "It has :order, :field, :default." in result.err) == (1, True)
