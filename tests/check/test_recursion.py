"""What `fix` hands its step: all that the step is declared to take (LANGUAGE 7.4, 8.4)."""

from __future__ import annotations

import pytest

from graphden import RunError
from tests.read.reports import only, report, run

STEP = """
{:name :_below :parent :sub :args {:nums [{:as :input :type :int} 1]}}
{:name :_step :parent :if :return-type :int
 :args {:test {:parent :zero? :args {:number {:as :input :type :int}}}
        :then 1
        :else {:parent :mul :args {:nums [{:as :input :type :int}
                                          {:parent :call :args {:func SELF :arg :_below}}]}}}}
{:name :factorial :parent :fix :args {:step :_step :input {:as :n :type :int}}}
{:name :five :parent :positive-int :args {:value {:as :v :type :int}}}
{:name :r :parent :factorial :args {:n :five}}
"""
DOWN = """
{:name :cell :type {:n :int}}
{:name :_less :parent :cell :args {:n {:parent :sub :args {:nums [
 {:parent :get :args {:coll {:as :input :type :cell} :key {:value :n}}} 1]}}}}
{:name :_step :parent :if :args {
 :test {:parent :zero? :args {:number
        {:parent :get :args {:coll {:as :input :type :cell} :key {:value :n}}}}}
 :then "done"
 :else {:parent :call :args {:func {:as :self :type [:fn {:input :cell} :text]} :arg :_less}}}}
{:name :down :parent :fix :args {:step :_step :input {:value VALUE}}}
"""


@pytest.mark.parametrize(
    "itself", ["{:as :self :type [:fn {:input :int} :int]}", "{:as :self}"]
)
def test_8_4_a_step_calls_itself_with_more_than_the_first_input(itself):
    text = STEP.replace("SELF", itself)
    assert report(text) == []
    assert run(text, "r", v=5) == 120
    with pytest.raises(RunError):
        run(text, "r", v=-5)


def test_8_4_a_literal_record_as_the_first_input():
    text = DOWN.replace("VALUE", "{:n 3}")
    assert report(text) == []
    assert run(text, "down") == "done"


def test_8_4_the_first_input_must_be_what_the_step_takes():
    problem = only(DOWN.replace("VALUE", '{:n "3"}'))
    assert (problem.code, problem.row) == ("type-mismatch", "down")
    assert "{:n :text}" in problem.message


def test_8_4_what_a_step_does_not_declare_stays_as_narrow_as_the_input():
    text = """
    {:name :_step :parent :if :args {
     :test {:parent :gt :args {:nums [{:as :input} 100]}}
     :then {:as :input}
     :else {:parent :call :args {:func {:as :self} :arg
            {:parent :mul :args {:nums [{:as :input} 2]}}}}}}
    {:name :grown :parent :fix :args {:step :_step :input 3}}
    {:name :r :parent :identity :args {:value {:type :int :ref :grown}}}
    """
    assert report(text) == []
    assert run(text, "r") == 192
