"""What a guard tells of the arm behind it (LANGUAGE 8.4): null is taken from what the arm means
the same evaluation of, and from nothing else.
"""

from __future__ import annotations

import pytest

from graphden import Graph

ROWS = """
{:name :half :parent :if :return-type [:union :null :int]
 :args {:test {:parent :lt :args {:nums [{:as :n :type :int} 5]}} :then nil :else {:as :n}}}
{:name :chance :parent :if :return-type [:union :null :int]
 :args {:test {:parent :lt :args {:nums [:current-time-ms 0]}} :then nil :else 1}}
{:name :logged :parent :if :return-type [:union :null :int]
 :args {:test {:parent :nil? :args {:value {:parent :log :args {:message "m"}}}}
        :then 1 :else nil}}
"""

SAFE = {
    "a row": """
{:name :m :parent :half :args {:n 3}}
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :m}} :then {:parent :add :args {:nums [:m 1]}}
        :else 0}}
""",
    "a row with a free name": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :half}}
        :then {:parent :add :args {:nums [:half 1]}} :else 0}}
""",
    "a name": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value {:as :v :type [:union :null :int]}}}
        :then {:parent :add :args {:nums [{:as :v} 1]}} :else 0}}
""",
    "nil? in the other arm": """
{:name :e :parent :if
 :args {:test {:parent :nil? :args {:value :half}} :then 0
        :else {:parent :add :args {:nums [:half 1]}}}}
""",
    "a row with an effect that is evaluated once": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :logged}}
        :then {:parent :add :args {:nums [:logged 1]}} :else 0}}
""",
    "a name that is fed by a row without effects": """
{:name :body :parent :if
 :args {:test {:parent :some? :args {:value {:as :v :type [:union :null :int]}}}
        :then {:parent :add :args {:nums [{:as :v} 1]}} :else 0}}
{:name :e :parent :body :args {:v {:parent :half :args {:n 7}}}}
""",
}

UNSAFE = {
    "no guard": """
{:name :e :parent :add :args {:nums [:half 1]}}
""",
    "the arm that is taken for nil": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :half}} :then 0
        :else {:parent :add :args {:nums [:half 1]}}}}
""",
    "a row that gives another value each time": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :chance}}
        :then {:parent :add :args {:nums [:chance 1]}} :else 0}}
""",
    "another evaluation, with another argument": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value {:parent :half :args {:n 7}}}}
        :then {:parent :add :args {:nums [:half 1]}} :else 0}}
""",
    "a row whose name the arm binds": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :half}}
        :then {:parent :add :args {:nums [:half 1] :n 3}} :else 0}}
""",
    "a row with an effect, evaluated anew in each call": """
{:name :e :parent :if
 :args {:test {:parent :some? :args {:value :logged}}
        :then {:parent :map :args {:coll [1 2]
               :func {:parent :add :lambda-params [:x] :args {:nums [{:as :x} :logged]}}}}
        :else []}}
""",
}


def found(rows: str) -> set[str]:
    return {problem.code for problem in Graph.parse(ROWS + rows).diagnostics}


@pytest.mark.parametrize("rows", SAFE.values(), ids=SAFE)
def test_8_4_a_guard_takes_null_from_the_same_evaluation(rows: str) -> None:
    assert found(rows) == set()


@pytest.mark.parametrize("rows", UNSAFE.values(), ids=UNSAFE)
def test_8_4_a_guard_says_nothing_of_another_evaluation(rows: str) -> None:
    assert found(rows) == {"type-mismatch"}
