"""What is inferred beyond signatures (LANGUAGE 8.4)."""

from __future__ import annotations

import pytest

from graphden import Graph
from tests.read.reports import report

TYPES = """
{:name :order :type {:total :int :note {:type :text :required false}}}
{:name :same :parent :identity :args {:value {:as :order :type :order}}}
{:name :texts :parent :str :args {:parts [{:as :item}]}}
"""


@pytest.mark.parametrize(
    ("row", "inferred"),
    [
        (":parent :add :args {:nums [{:as :port :type :port} 1]}", ":int"),
        (":parent :div :args {:nums [4 2]}", ":float"),
        (":parent :div :args {:nums [4M 2M]}", ":decimal"),
        (":parent :mul :args {:nums [2 1.5M]}", ":decimal"),
        (":parent :vec :args {:coll {:a 1}}", "[:list [:tuple :keyword :int]]"),
        (':parent :vec :args {:coll "ab"}', "[:list :text]"),
        (":parent :vec :args {:coll :same}", "[:list :any]"),
        (":parent :vals :args {:map {:a 1 :b 2}}", "[:list :int]"),
        (":parent :vals :args {:map :same}", "[:list :any]"),
        (":parent :keys :args {:map {:a 1}}", "[:list :keyword]"),
        (":parent :into :args {:to [1] :from [2]}", "[:list :int]"),
        (":parent :into :args {:to nil :from {:a 1}}", "[:list [:tuple :keyword :int]]"),
        (':parent :pairs->map :args {:entries [["a" "b"]]}', "[:map :text :text]"),
        (":parent :assoc-in :args {:m {:a 1} :path {:value [:b :c]} :v 2}",
         "{:a :int :b {:c :int}}"),
        (":parent :update-in :args {:m :same :path {:value [:total]} :f :texts}",
         "{:total :text :note {:type :text :required false}}"),
        (":parent :update-vals :args {:m {:a 1 :b 2} :f :texts}", "{:a :text :b :text}"),
        (":parent :filter :args {:pred :some? :coll [1 nil]}", "[:list :int]"),
        (":parent :comp :args {:functions [:texts :identity]}", "[:fn {:item :any} :text]"),
        (":parent :list :args {:items [1 :same]}", "[:tuple :int :order]"),
        (":parent :merge :args {:maps [{:note 1 :paid true} :same]}",
         "{:note [:union :int :text] :paid :any :total :int}"),
        (":parent :merge :args {:maps [:same {:note 1}]}", "{:total :int :note :int}"),
        (":parent :get-in :args {:map :same :path {:value [:total]}}", ":int"),
        (":parent :get :args {:coll {:a 1} :key {:value :b}}", ":null"),
        (":parent :select-keys :args {:m {:a 1 :b true} :ks [{:value :b}]}", "{:b :bool}"),
        (':parent :select-keys :args {:m {:a 1 :b true} :ks ["a" 3 [1]]}', "{:a :int}"),
        (":parent :select-keys :args {:m {:a 1} :ks [{:value :b}]}", "{}"),
        (":parent :select-keys :args {:m :same :ks [{:value :total} {:value :note}]}",
         "{:total :int :note {:type :text :required false}}"),
        (":parent :select-keys :args {:m :same :ks {:as :ks}}", "[:map :any :any]"),
        (":parent :select-keys :args {:m :same :ks [{:value :total} {:as :k}]}",
         "[:map :any :any]"),
    ],
)  # fmt: skip
def test_8_4_what_is_inferred_beyond_the_signature(row: str, inferred: str) -> None:
    graph = Graph.parse(f"{TYPES}{{:name :r {row}}}")
    assert str(graph.inference.row("user/r").result) == inferred


SELECTED = TYPES + (
    "{:name :chosen :parent :select-keys :args {:m :same :ks [KEYS]}}"
    "{:name :counts :parent :update-vals :args {:m :chosen :f :texts}}"
    "{:name :taker :parent :identity :args {:value {:as :n :type [:map :keyword :text]}}}"
    "{:name :r :parent :taker :args {:n :counts}}"
)


def test_8_4_what_is_selected_of_known_fields_has_no_others() -> None:
    assert report(SELECTED.replace("KEYS", "{:value :total}")) == []
    more = SELECTED.replace("KEYS", "{:value :total} {:value :other}")
    graph = Graph.parse(more.replace("{:name :r :", "{:name :s :"))
    assert str(graph.inference.row("user/chosen").result) == "{:total :int}"
    order = {"total": 1, "other": b"x", "more": 2}
    assert graph.run("chosen", {"order": order}) == {"total": 1, "other": b"x"}


def test_8_4_a_total_of_a_list_that_may_be_empty_may_be_an_int() -> None:
    text = "{:name :r :parent :add :args {:nums {:as :prices :type [:list :decimal]}}}"
    graph = Graph.parse(text)
    assert str(graph.inference.row("user/r").result) == "[:union :int :decimal]"
    assert graph.run("r", {"prices": []}) == 0


def test_8_4_an_optional_argument_that_is_bound_counts() -> None:
    rows = (
        TYPES
        + """
{:name :noted :parent :get :args {:coll :same :key {:value :note}}}
{:name :length :parent :str-len :args {:string :noted :default 5}}
"""
    )
    assert [(code, row) for code, row, _ in report(rows)] == [("type-mismatch", "length")]
    assert report(rows.replace(":default 5", ':default ""')) == []
