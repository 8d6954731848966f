"""Slots of type `any` that do not take all kinds of values (LANGUAGE 9.3): plainly wrong uses
are diagnostics, and what `any` or `jsonb` hides is none.
"""

from __future__ import annotations

import pytest

from tests.read.reports import only, pointed_at, report

ROWS = r"""
{:name :parsed :parent :parse-json :args {:string "[1]"}}
{:name :any-of :parent :parse-json :args {:string "5"}}
{:name :n :parent :identity :args {:value {:as :n :type :int :value 5}}}
{:name :s :parent :identity :args {:value {:as :s :type :text :value "a"}}}
{:name :maybe :parent :if :args {:test :any-of :then :n :else [1]}}
"""


@pytest.mark.parametrize(
    ("row", "where"),
    [
        (":parent :count :args {:coll 5}", "5"),
        (":parent :count :args {:coll :n}", ":n"),
        (":parent :empty? :args {:coll {:value :a}}", "{:value :a}"),
        (":parent :vec :args {:coll true}", "true"),
        (":parent :get :args {:coll :n :key 1}", ":n"),
        (":parent :get-in :args {:map :n :path {:value [:a]}}", ":n"),
        (":parent :assoc-in :args {:m :s :path {:value [:a]} :v 1}", ":s"),
        (":parent :update-in :args {:m 5 :path [0] :f :identity}", "5"),
        (":parent :contains? :args {:coll :s :key 1}", ":s"),
        (":parent :into :args {:to 5 :from [1]}", "5"),
        (":parent :into :args {:to [1] :from 5}", "5"),
        (":parent :deref :args {:a 5}", "5"),
        (":parent :reset :args {:a [1] :v 1}", "[1]"),
        (":parent :throwable-message :args {:ex 5}", "5"),
        (':parent :sort :args {:coll [1 "a"]}', '[1 "a"]'),
        (":parent :sort :args {:coll [:n :s]}", "[:n :s]"),
        (":parent :sort :args {:coll [{:a 1} {:a 2}]}", "[{:a 1} {:a 2}]"),
        (":parent :sort-by :args {:key-fn {:parent :merge :args {:maps [{:as :item}]}}"
         " :coll [{:a 1}]}", "{:parent :merge :args {:maps [{:as :item}]}}"),
    ],
)  # fmt: skip
def test_9_3_a_value_of_a_kind_that_is_not_taken(row: str, where: str) -> None:
    assert report(f"{ROWS}{{:name :r {row}}}") == [("type-mismatch", "r", where)]


@pytest.mark.parametrize(
    "row",
    [
        ":parent :count :args {:coll :parsed}",
        ":parent :count :args {:coll :any-of}",
        ":parent :count :args {:coll :maybe}",
        ":parent :count :args {:coll nil}",
        ":parent :count :args {:coll #{1}}",
        ":parent :get :args {:coll :s :key 0}",
        ":parent :get-in :args {:map :n :path []}",
        ":parent :get-in :args {:map :n :path {:as :path}}",
        ":parent :deref :args {:a {:parent :atom :args {:initial-value 1}}}",
        ":parent :into :args {:to nil :from {:a 1}}",
        ":parent :sort :args {:coll [2 nil 1.5]}",
        ":parent :sort :args {:coll :parsed}",
        ":parent :sort :args {:coll []}",
        ":parent :sort :args {:coll [:parsed :n]}",
        ":parent :sort-by :args {:key-fn {:parent :identity :args {:value {:as :item}}}"
        " :coll :parsed}",
        ":parent :try :args {:body :n :on-throw :throwable-message}",
    ],
)
def test_8_5_what_may_be_of_a_kind_that_is_taken_is_no_problem(row: str) -> None:
    assert report(f"{ROWS}{{:name :r {row}}}") == []


def test_9_3_what_is_asked_of_an_argument_is_said_where_it_is_bound() -> None:
    text = (
        "{:name :size :parent :count :args {:coll {:as :of}}}"
        "{:name :r :parent :list :args {:items [:size] :of 5}}"
    )
    problem = only(text)
    assert (problem.code, problem.row) == ("type-mismatch", "r")
    assert ":of takes a list, map, set or text, and it is :int" in problem.message
    assert pointed_at(text, problem) == ":size"
