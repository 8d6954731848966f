"""The standard library as rows use it: what the types of the declarations let through, and what
comes out.
"""

from uuid import UUID

import pytest

import graphden
from graphden.edn import Keyword, equal, read

# One entry row each, `:r`; further rows are its helpers.
USES = {
    "add": ("{:name :r :parent :add :args {:nums [1 2 3.5]}}", "6.5"),
    "chain": ("{:name :r :parent :lt :args {:nums [1 2 3]}}", "true"),
    "mod": ("{:name :r :parent :mod :args {:dividend -7 :divisor 3}}", "2"),
    "if without else": ("{:name :r :parent :if :args {:test false :then 1}}", "nil"),
    "cond": ("{:name :r :parent :cond :args {:clauses [false 1 0 2]}}", "2"),
    "case": (
        "{:name :r :parent :case :args {:value 2 :clauses [1 {:value :one} 2 {:value :two}]}}",
        ":two",
    ),
    "and": ("{:name :r :parent :and :args {:values [1 0]}}", "true"),
    "or": ("{:name :r :parent :or :args {:values [nil false]}}", "false"),
    "coalesce": ("{:name :r :parent :coalesce :args {:value nil :default 5}}", "5"),
    "is-a?": (
        "{:name :r :parent :is-a? :args {:value 5 :type {:value [:union :int :text]}}}",
        "true",
    ),
    "first of none": ("{:name :r :parent :first :args {:coll []}}", "nil"),
    "vec of a map": ("{:name :r :parent :vec :args {:coll {:a 1}}}", "[[:a 1]]"),
    "vec of nil": ("{:name :r :parent :vec :args {:coll nil}}", "[]"),
    "count of text": ('{:name :r :parent :count :args {:coll "ab"}}', "2"),
    "sort": ("{:name :r :parent :sort :args {:coll [3 1 2]}}", "[1 2 3]"),
    "distinct": ("{:name :r :parent :distinct :args {:coll [1 true 1.0]}}", "[1 true]"),
    "list of rows": (
        "{:name :r :parent :list :args {:items [:one 2]}} {:name :one :parent :const :args "
        "{:value 1}}",
        "[1 2]",
    ),
    "conj to nil": ("{:name :r :parent :conj :args {:coll nil :item 1}}", "[1]"),
    "conj": ("{:name :r :parent :conj :args {:coll [1] :item 2}}", "[1 2]"),
    "get": (
        "{:name :r :parent :get :args {:coll {:a 1} :key {:value :a}}}",
        "1",
    ),
    "get of nil": (
        "{:name :r :parent :get :args {:coll nil :key {:value :a} :default 9}}",
        "9",
    ),
    "get-in": (
        "{:name :r :parent :get-in :args "
        "{:map {:a [1 {:b 2}]} :path [{:value :a} 1 {:value :b}]}}",
        "2",
    ),
    "assoc on nil": (
        "{:name :r :parent :assoc :args {:map nil :key {:value :a} :value 1}}",
        "{:a 1}",
    ),
    "assoc of another type": (
        '{:name :r :parent :assoc :args {:map {:a 1} :key {:value :b} :value "x"}}',
        '{:a 1 :b "x"}',
    ),
    "dissoc": ("{:name :r :parent :dissoc :args {:map {:a 1} :key {:value :a}}}", "{}"),
    "contains?": ("{:name :r :parent :contains? :args {:coll [1] :key true}}", "false"),
    "keys": ("{:name :r :parent :keys :args {:map {:a 1}}}", "[:a]"),
    "vals of a mixed map": ('{:name :r :parent :vals :args {:map {:a 1 :b "x"}}}', '[1 "x"]'),
    "merge with nil": (
        "{:name :r :parent :merge :args {:maps [{:a 1} nil {:b 2}]}}",
        "{:a 1 :b 2}",
    ),
    "into": ("{:name :r :parent :into :args {:to {:a 1} :from [[:b 2]]}}", "{:a 1 :b 2}"),
    "assoc-in": (
        "{:name :r :parent :assoc-in :args {:m nil :path [{:value :a} {:value :b}] :v 1}}",
        "{:a {:b 1}}",
    ),
    "update-in": (
        "{:name :r :parent :update-in :args {:m {:a 1} :path [{:value :a}] :f :next}} "
        "{:name :next :parent :add :args {:nums [{:as :n :type :any} 1]}}",
        "{:a 2}",
    ),
    "range": ("{:name :r :parent :range :args {:end 3}}", "[0 1 2]"),
    "range with a step": (
        "{:name :r :parent :range :args {:start 5 :end 0 :step -2}}",
        "[5 3 1]",
    ),
    "repeat": ("{:name :r :parent :repeat :args {:count 2 :item nil}}", "[nil nil]"),
    "concat": ("{:name :r :parent :concat :args {:colls [[1] [2]]}}", "[1 2]"),
    "zipmap": (
        '{:name :r :parent :zipmap :args {:keys [{:value :a}] :vals ["x"]}}',
        '{:a "x"}',
    ),
    "select-keys": (
        "{:name :r :parent :select-keys :args {:m {:a 1 :b 2} :ks [{:value :b}]}}",
        "{:b 2}",
    ),
    "update-vals": (
        "{:name :r :parent :update-vals :args {:m {:a 1 :b 2} :f :next}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}}",
        "{:a 2 :b 3}",
    ),
    "postwalk": (
        "{:name :r :parent :postwalk :args {:f :wrap :coll [1 [2]]}} "
        "{:name :wrap :parent :list :args {:items [{:as :part}]}}",
        "[[[1] [[[2]]]]]",
    ),
    "map": (
        "{:name :r :parent :map :args {:func :next :coll [1 2]}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}}",
        "[2 3]",
    ),
    "map over a range": (
        "{:name :r :parent :map :args {:func :next :coll :three}} "
        "{:name :three :parent :range :args {:end 3}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}}",
        "[1 2 3]",
    ),
    "filter": (
        "{:name :r :parent :filter :args {:pred :small :coll [1 5 2]}} "
        "{:name :small :parent :lt :args {:nums [{:as :item} 3]}}",
        "[1 2]",
    ),
    "some": (
        "{:name :r :parent :some :args {:pred :small :coll [7 5]}} "
        "{:name :small :parent :lt :args {:nums [{:as :item} 3]}}",
        "nil",
    ),
    "reduce": (
        "{:name :r :parent :reduce :args {:func :sum :init 0 :coll [1 2 3]}} "
        "{:name :sum :parent :add :args {:nums {:ref :pair-of}}} "
        "{:name :pair-of :parent :identity :args {:value {:as :pair :type [:list :int]}}}",
        "6",
    ),
    "group-by": (
        "{:name :r :parent :group-by :args {:key-fn :parity :coll [1 2 3]}} "
        "{:name :parity :parent :mod :args {:dividend {:as :item} :divisor 2}}",
        "{1 [1 3] 0 [2]}",
    ),
    "sort-by": (
        "{:name :r :parent :sort-by :args {:key-fn :minus :coll [1 3 2]}} "
        "{:name :minus :parent :neg :args {:number {:as :item}}}",
        "[3 2 1]",
    ),
    "constantly": (
        "{:name :r :parent :map :args "
        "{:func {:parent :constantly :args {:value 7}} :coll [1 2]}}",
        "[7 7]",
    ),
    "comp": (
        "{:name :r :parent :map :args {:func :both :coll [1 2]}} "
        "{:name :both :parent :comp :args {:functions [:next :double]}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}} "
        "{:name :double :parent :mul :args {:nums [{:as :n} 2]}}",
        "[3 5]",
    ),
    "str": ('{:name :r :parent :str :args {:parts ["a" nil 1 {:value :b}]}}', '"a1:b"'),
    "str-join": ('{:name :r :parent :str-join :args {:coll ["a" "b"]}}', '"ab"'),
    "str-split": (
        '{:name :r :parent :str-split :args {:string "a,b" :separator ","}}',
        '["a" "b"]',
    ),
    "subs": ('{:name :r :parent :subs :args {:string "abc" :start 1}}', '"bc"'),
    "name": ("{:name :r :parent :name :args {:value {:value :a/b}}}", '"b"'),
    "blank?": ("{:name :r :parent :blank? :args {:string nil}}", "true"),
    "do": ("{:name :r :parent :do :args {:steps [1 2]}}", "2"),
    "try": (
        "{:name :r :parent :try :args {:body :broken :on-throw :told}} "
        "{:name :broken :parent :div :args {:nums [1 0]}} "
        "{:name :told :parent :get :args "
        "{:coll {:parent :ex-describe :args {:ex {:as :exception}}} :key {:value :type}}}",
        '"division-by-zero"',
    ),
    "throw and ex-data": (
        "{:name :r :parent :try :args {:body :broken :on-throw :told}} "
        "{:name :broken :parent :throw :args "
        '{:exception {:parent :ex-info :args {:message "no" :data {:n 1}}}}} '
        "{:name :told :parent :ex-data :args {:ex {:as :exception}}}",
        "{:n 1}",
    ),
    "invoke": (
        "{:name :r :parent :invoke :args {:func :next :arg 1}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}}",
        "2",
    ),
    "call-with": (
        "{:name :r :parent :call-with :args {:func :less :first 5 :second 3}} "
        "{:name :less :parent :sub :args {:nums [{:as :first} {:as :second}]}}",
        "2",
    ),
    "call-noargs": (
        "{:name :r :parent :call-noargs :args {:func :seven}} "
        "{:name :seven :parent :const :args {:value 7}}",
        "7",
    ),
    "fix": (
        "{:name :r :parent :fix :args {:step :factorial :input 20}} "
        "{:name :factorial :parent :if :lambda-params [:input :self] :args "
        "{:test :done :then 1 :else :times}} "
        "{:name :done :parent :zero? :args {:number {:as :input :type :int}}} "
        "{:name :times :parent :mul :args {:nums [{:as :input} :below]}} "
        "{:name :below :parent :invoke :args {:func {:as :self :type [:fn {:input :int} :int]} "
        ":arg {:parent :sub :args {:nums [{:as :input :type :int} 1]}}}}",
        "2432902008176640000",
    ),
    "cells": (
        "{:name :r :parent :do :args {:steps [:put :look]}} "
        "{:name :box :parent :atom :args {:initial-value 1}} "
        "{:name :put :parent :swap :args {:a :box :func :next}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}} "
        "{:name :look :parent :deref :args {:a :box}}",
        "2",
    ),
    "parse-json": (
        '{:name :r :parent :parse-json :args {:string "{\\"a\\":1}"}}',
        "{:a 1}",
    ),
    "to-json": ("{:name :r :parent :to-json :args {:data {:a [nil]}}}", '"{\\"a\\":[null]}"'),
    "parse-int": (
        "{:name :r :parent :add :args {:nums [:parsed 1]}} "
        '{:name :parsed :parent :parse-int :args {:string "41"}}',
        "42",
    ),
    "log": (
        '{:name :r :parent :log :args {:level {:value :debug} :message "m" :data {:a 1}}}',
        "nil",
    ),
    "with-heartbeat": (
        "{:name :r :parent :with-heartbeat :args "
        "{:coll [1 2] :body :next :beat :next :interval-ms 60000}} "
        "{:name :next :parent :add :args {:nums [{:as :n} 1]}}",
        "nil",
    ),
    "cron": (
        '{:name :r :parent :cron-fire-after :args {:expression "* * * * *" :after-ms 0}}',
        "60000",
    ),
    "a refinement": ("{:name :r :parent :positive-int :args {:value 5}}", "5"),
    "a pattern": ('{:name :r :parent :non-blank-text :args {:value " a\\n"}}', '" a\\n"'),
}


@pytest.fixture(scope="module")
def run():
    def run_row(text):
        graph = graphden.Graph.parse(text)
        assert graph.diagnostics == ()
        return graph.run("r")

    return run_row


@pytest.mark.parametrize(("text", "result"), USES.values(), ids=USES)
def test_rows_over_the_standard_library(run, text, result):
    (expected,) = read(result, "expected")

    assert equal(run(text), expected.value)


@pytest.mark.parametrize(
    ("refinement", "inside", "outside"),
    [
        ("positive-int", 1, 0),
        ("non-negative-int", 0, -1),
        ("negative-int", -1, 0),
        ("positive-numeric", 0.5, 0.0),
        ("percent", 100, 100.5),
        ("probability", 0.25, 1.5),
        ("port", 65_535, 65_536),
        ("http-status", 100, 99),
        ("non-empty-text", " ", ""),
        ("non-blank-text", " \na\n", " \n "),
        ("nullable-text", None, 1),
        ("nullable-int", None, "a"),
        ("nullable-uuid", UUID(int=1), "a"),
        ("nullable-bool", True, 1),
        ("nullable-keyword", Keyword("a"), 1),
        ("keyword-map", {Keyword("a"): 1}, {1: 1}),
        ("text-map", {"a": 1}, {1: 1}),
    ],
)
def test_what_fits_a_type_row(refinement, inside, outside):
    """LANGUAGE 8.3, 11"""
    row = f"{{:name :r :parent :identity :args {{:value {{:as :v :type :{refinement}}}}}}}"
    graph = graphden.Graph.parse(row)

    assert graph.run("r", {"v": inside}) == inside
    with pytest.raises(graphden.RunError) as raised:
        graph.run("r", {"v": outside})
    assert raised.value.code == "argument-type"
