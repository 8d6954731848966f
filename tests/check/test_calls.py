"""Callables between rows and Python: each call is what the type says (LANGUAGE 6.1, 8.5)."""

from __future__ import annotations

import pytest

from graphden import Graph, RunError
from graphden.run.secrets import HIDDEN

ROWS = """
{:name :tools :type {:double [:fn {:n :int} :int] :title :text}}
{:name :in-list :parent :add
 :args {:nums [{:parent :call :args {:func :_first :arg 3}} 0]}}
{:name :_first :parent :first :return-type [:fn {:n :int} :int]
 :args {:coll {:as :tools :type [:list [:fn {:n :int} :int]]}}}
{:name :in-record :parent :add
 :args {:nums [{:parent :call :args {:func :_double :arg 3}} 0]}}
{:name :_double :parent :get :return-type [:fn {:n :int} :int]
 :args {:key {:value :double} :coll {:as :tools :type :tools}}}
{:name :made :parent :call
 :args {:func {:as :make :type [:fn {:n :int} [:fn {:m :int} :int]]} :arg 1}}
{:name :adding :parent :add :args {:nums [{:as :n :type :int} 1]}}
{:name :out :parent :const :return-type [:fn {:n :int} :int] :args {:value :_held}}
{:name :_held :parent :comp :return-type [:fn {:n :int} :int] :args {:functions [:adding]}}
{:name :handing :parent :call
 :args {:func {:as :use :type [:fn {:f [:fn {:n :int} :int]} :int]} :arg :_held}}
"""


def violation(row: str, **given: object) -> str:
    with pytest.raises(RunError) as caught:
        Graph.parse(ROWS).run(row, given)
    assert caught.value.code == "contract-violation"
    return caught.value.message


def test_8_5_what_a_callable_in_a_list_gives_is_checked():
    assert Graph.parse(ROWS).run("in-list", {"tools": [lambda n: n * 2]}) == 6
    assert 'got "six"' in violation("in-list", tools=[lambda _: "six"])


def test_8_5_what_a_callable_in_a_record_gives_is_checked():
    tools = {"double": lambda n: n * 2, "title": "tools"}
    assert Graph.parse(ROWS).run("in-record", {"tools": tools}) == 6
    assert 'got "six"' in violation("in-record", tools={**tools, "double": lambda _: "six"})


def test_8_5_what_a_callable_of_a_callable_gives_is_checked():
    made = Graph.parse(ROWS).run("made", {"make": lambda n: lambda m: n + m})
    assert made(2) == 3
    wrong = Graph.parse(ROWS).run("made", {"make": lambda _: lambda _: "six"})
    with pytest.raises(RunError) as caught:
        wrong(2)
    assert caught.value.code == "contract-violation"


def test_8_5_python_calls_what_a_run_gave_with_what_its_type_says():
    function = Graph.parse(ROWS).run("out")
    assert function(2) == 3
    with pytest.raises(RunError) as caught:
        function("2")
    assert caught.value.code == "contract-violation"
    with pytest.raises(TypeError):
        function()


def test_8_5_python_calls_a_row_that_it_is_handed_with_what_the_type_says():
    assert Graph.parse(ROWS).run("handing", {"use": lambda f: f(2)}) == 3
    assert 'got "2"' in violation("handing", use=lambda f: f("2"))


def test_8_7_a_callable_that_a_run_gives_tells_no_secret():
    text = """
    {:name :key-of :parent :call
     :args {:func {:as :f :type [:fn {:n :int} [:fn {:m :int} [:secret :text]]]} :arg 1}}
    """
    given = Graph.parse(text).run("key-of", {"f": lambda _: lambda _: "told-by-a-call"})
    assert given(1) == HIDDEN
