"""LANGUAGE 7: what runs, how often, in which order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphden.edn import Keyword
from graphden.errors import RunError
from tests.language import saying
from tests.language.saying import Fails, exact, graph, noted, report, value
from tests.oracle import probe
from tests.read.reports import only


@pytest.fixture(scope="module", autouse=True)
def _probe_package() -> Iterator[None]:
    saying.graph.cache_clear()
    with probe.installed():
        yield
    saying.graph.cache_clear()


ROWS = """
{:name :t :parent :tick :args {:tag 1}}
{:name :u :parent :tick :args {:tag 2}}
{:name :never :parent :probe/boom :args {:tag "never"}}
{:name :yes :parent :const :args {:value true}}
{:name :tagged :parent :tick :args {:tag {:as :x}}}
{:name :reads :parent :identity :args {:value {:as :x}}}
{:name :ignores :parent :const :args {:value {:as :spare :value 7}}}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (":parent :if :args {:test true :then 1 :else :never}", 1),
        (":parent :if :args {:test false :then :never :else 2}", 2),
        (":parent :if :args {:test nil :then :never}", None),
        (":parent :if :args {:test 0 :then 1 :else :never}", 1),
        (':parent :if :args {:test "" :then 1 :else :never}', 1),
        (":parent :if :args {:test {:value []} :then 1 :else :never}", 1),
        (":parent :if :args {:test {:value {}} :then 1 :else :never}", 1),
        (":parent :cond :args {:clauses [false :never true 2 :never :never]}", 2),
        (":parent :cond :args {:clauses [nil :never :yes 2]}", 2),
        (":parent :cond :args {:clauses [false :never]}", None),
        (":parent :cond :args {:clauses []}", None),
        (":parent :case :args {:value 2 :clauses [1 :never 2 [:b] :never :never]}",
         [Keyword("b")]),
        (":parent :case :args {:value 3 :clauses [1 :never] :default 5}", 5),
        (":parent :case :args {:value 1 :clauses [1 5] :default :never}", 5),
        (":parent :get :args {:coll {:a 1} :key {:value :a} :default :never}", 1),
        (":parent :get :args {:coll {:a nil} :key {:value :a} :default :never}", None),
        (":parent :get-in :args {:map {:a {:b 1}} :path [{:value :a} {:value :b}]"
         " :default :never}", 1),
        (":parent :coalesce :args {:value 1 :default :never}", 1),
        (":parent :coalesce :args {:value false :default :never}", False),
        (":parent :and :args {:values [1 nil :never]}", False),
        (":parent :and :args {:values [false :never]}", False),
        (":parent :and :args {:values []}", True),
        (":parent :and :args {:values [1 2]}", True),
        (":parent :or :args {:values [nil 5 :never]}", True),
        (":parent :or :args {:values []}", False),
        (":parent :or :args {:values [nil false]}", False),
        (":parent :identity :args {:value :ignores :spare 7}", 7),
        (":parent :if :args {:test true :then 3 :else :reads :x :never}", 3),
        (":parent :some :args {:pred {:parent :identity} :coll [nil 3 4]}", 3),
    ],
)  # fmt: skip
def test_7_1_what_is_not_needed_never_runs(body, expected):
    outcome = noted(ROWS + f"{{:name :r {body}}}")
    assert outcome.error is None
    assert exact(outcome.value) == exact(expected)
    assert outcome.count == 0


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        # 7.6 strict slots in declared order, items from left to right, do in order.
        (":parent :list :args {:items [:u :t]}", [2, 1]),
        (":parent :do :args {:steps [:u :t :u]}", [2, 1]),
        (":parent :mod :args {:divisor :t :dividend :u}", [2, 1]),
        (":parent :range :args {:step :t :start :u :end 9}", [2, 1]),
        (":parent :probe/pair :args {:right :t :left :u}", [2, 1]),
        # 7.2 one reference, one evaluation; an inline row is a row of its own.
        (":parent :list :args {:items [:t :t]}", [1]),
        (":parent :list :args {:items [:t {:parent :t}]}", [1, 1]),
        (":parent :list :args {:items [{:parent :t} {:parent :t}]}", [1, 1]),
        (":parent :list :args {:items [:t {:parent :list :args {:items [:t]}}]}", [1]),
        # The same row with arguments from other places is another use.
        (":parent :list :args {:items [{:parent :identity :args {:value :tagged :x 5}}"
         " {:parent :identity :args {:value :tagged :x 5}}]}", [5, 5]),
        # 7.2 each call is an activation of its own.
        (":parent :map :args {:func :t :coll [0 0 0]}", [1, 1, 1]),
        (":parent :for-each :args {:func :tagged :coll [7 8 9]}", [7, 8, 9]),
        (":parent :list :args {:items [:t {:parent :call-noargs :args {:func :t}}]}", [1, 1]),
        (":parent :map :args {:func {:parent :list :args {:items [:t :t]}} :coll [0 0]}",
         [1, 1]),
        # 7.3 an argument is evaluated once in the activation that binds it.
        (":parent :list :args {:items [:reads :reads] :x :t}", [1]),
        (":parent :map :args {:func {:parent :probe/pair :args {:left :reads}} :coll [0 0]"
         " :x :t}", [1]),
        (":parent :map :args {:func {:parent :identity :args {:value :reads :x :t}}"
         " :coll [0 0]}", [1, 1]),
        # An untaken arm leaves its effect to who needs it.
        (":parent :list :args {:items [{:parent :if :args {:test false :then :t :else :u}}"
         " :t]}",
         [2, 1]),
        # filter, reduce, sort-by and group-by call once per item, in order.
        (":parent :filter :args {:pred :tagged :coll [3 4]}", [3, 4]),
        (":parent :sort-by :args {:key-fn {:parent :do :lambda-params [:x]"
         " :args {:steps [:tagged {:as :x}]}} :coll [2 1]}", [2, 1]),
        (":parent :find-first :args {:pred :tagged :coll [3 4]}", [3]),
        (":parent :every? :args {:pred {:parent :nil? :args {:value :tagged}} :coll [3 4]}",
         [3]),
        (":parent :some :args {:pred :tagged :coll [3 4]}", [3]),
        # try runs its body once, and the handler only on failure.
        (":parent :try :args {:body :t :on-throw :u}", [1]),
        (":parent :try :args {:body :never :on-throw :u}", ["never", 2]),
    ],
)  # fmt: skip
def test_7_2_7_3_7_6_how_often_and_in_which_order(body, tags):
    outcome = noted(ROWS + f"{{:name :r {body}}}")
    assert outcome.error is None, outcome.error
    assert outcome.tags == tags


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (":parent :list :args {:items [:clock :clock]}", [1, 2]),
        (":parent :list :args {:items [:clock {:parent :clock}]}", [1, 2]),
        (":parent :list :args {:items [:over :over]}", [1, 2]),
        (":parent :list :args {:items [:reads :reads] :x :clock}", [1, 1]),
        (":parent :list :args {:items [{:as :x :ref :clock} {:as :x :ref :clock}]}", [1, 2]),
        (":parent :map :args {:func :clock :coll [0 0]}", [1, 2]),
        (":parent :map :args {:func {:parent :reads :args {}} :coll [0 0] :x :clock}", [1, 1]),
    ],
)
def test_7_3_time_is_never_shared_but_as_an_argument(body, expected):
    text = ROWS + (
        "{:name :over :parent :identity :args {:value :clock}}" + f"{{:name :r {body}}}"
    )
    outcome = noted(text)
    assert outcome.error is None, outcome.error
    assert outcome.value == expected


def test_7_2_what_failed_fails_again_with_the_same_error_and_no_second_effect():
    text = ROWS + (
        "{:name :first :parent :try :args {:body :again :on-throw :handler}}"
        "{:name :again :parent :identity :lambda-params [] :args {:value {:as :x}}}"
        "{:name :handler :parent :identity :args {:value {:as :exception}}}"
        "{:name :r :parent :list :args {:items [:first {:parent :first}] :x :never}}"
    )
    outcome = noted(text)
    assert outcome.error is None
    assert outcome.tags == ["never"]
    one, other = outcome.value
    assert (one.code, str(one)) == (other.code, str(other))


FIX = """
{:name :r :parent :fix :args {:step :_step :input {:as :n :type :int}}}
{:name :_step :parent :if :lambda-params [:input :self]
 :args {:test {:parent :zero? :args {:number {:as :input :type :int}}} :then 0 :else :_more}}
{:name :_more :parent :add :args {:nums [{:as :input :type :int} :_below]}}
{:name :_below :parent :invoke
 :args {:func {:as :self :type [:fn {:input :int} :int]}
        :arg {:parent :sub :args {:nums [{:as :input :type :int} 1]}}}}
"""


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, 0), (1, 1), (10, 55), (1000, 500_500), (100_000, Fails("recursion-depth")), (3, 6)],
)
def test_7_4_fix(n, expected):
    assert value(FIX, n=n) == expected


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("{:name :a :parent :a}", ":a → :a"),
        ("{:name :a :parent :b} {:name :b :parent :a}", ":a → :b → :a"),
        ("{:name :a :parent :identity :args {:value :a}}", ":a → :a"),
        ("{:name :a :parent :list :args {:items [1 :a]}}", ":a → :a"),
        ("{:name :a :parent :list :args {:items [{:parent :a}]}}", ":a → :a"),
        (
            "{:name :a :parent :list :args {:items [{:parent :neg :args {:number :b}}]}}"
            "{:name :b :parent :map :args {:func :a :coll [1]}}",
            ":a → :b → :a",
        ),
        ("{:name :a :parent :map :args {:func :a :coll [1]}}", ":a → :a"),
        ("{:name :a :parent :const :args {:value {:as :x :ref :a}}}", ":a → :a"),
    ],
)
def test_7_4_a_circle_is_refused_with_its_path(text, way):
    problem = only(text)
    assert problem.code == "cycle"
    assert way in problem.message


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            [
                "{:name :a :parent :list :args {:items [:b :b]}}",
                "{:name :b :parent :list :args {:items [:a :a]}}",
            ],
            [("cycle", "b", ":a")],
        ),
        (
            [
                "{:name :a :parent :list :args {:items [:b :c]}}",
                "{:name :b :parent :list :args {:items [:c]}}",
                "{:name :c :parent :list :args {:items [:a :b]}}",
            ],
            [("cycle", "c", ":a"), ("cycle", "c", ":b")],
        ),
        (
            ["{:name :b :parent :a}", "{:name :a :parent :list :args {:items [:b :nowhere]}}"],
            [("unknown-row", "a", ":nowhere"), ("cycle", "b", ":a")],
        ),
        (
            [
                "{:name :p :parent :identity :args {:value :one}}",
                "{:name :one :parent :const :args {:value 1}}",
                "{:name :a :parent :p :args {:value :b}}",
                "{:name :b :parent :list :args {:items [:c :a]}}",
                "{:name :c :parent :b}",
            ],
            [("cycle", "c", ":b"), ("sealed-slot", "a", ":value")],
        ),
        (
            [
                "{:name :a :union [:b :c]}",
                "{:name :b :union [:a :c]}",
                "{:name :c :union [:b :a]}",
            ],
            [("cycle", "a", ":a"), ("cycle", "a", ":a"), ("cycle", "b", ":b")],
        ),
    ],
)
def test_7_4_each_circle_is_told_where_it_closes_in_any_order_of_rows(text, expected, turned):
    found = report("".join(text[::-1] if turned else text))
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize(
    "body",
    [
        ":parent :sleep :args {:ms 60000}",
        ":parent :loop-until-stopped :args {:body {:parent :const :args {:value 1}}}",
        ":parent :loop-until-interrupted :args {:body {:parent :const :args {:value 1}}}",
        ":parent :sleep-until-ms :args {:ms 99999999999999}",
        ":parent :try :args {:body {:parent :sleep :args {:ms 60000}} :on-throw :caught}",
        ":parent :map :args {:func {:parent :sleep} :coll [60000]}",
        ':parent :schedule :args {:expression "0 0 1 1 *" :body :caught}',
    ],
)
def test_7_5_a_deadline_ends_waits_and_loops_and_no_try_keeps_it(body):
    text = "{:name :caught :parent :const :args {:value 1}}" + f"{{:name :r {body}}}"
    with pytest.raises(RunError) as caught:
        graph(text).run("r", timeout_ms=30)
    assert caught.value.code == "deadline-exceeded"


def test_7_1_an_argument_that_is_not_read_is_still_checked():
    """5.5 comes before 7.1."""
    text = "{:name :r :parent :if :args {:test true :then 1 :else {:as :x :type :int}}}"
    assert value(text, x=2) == 1
    assert value(text, x="2") == Fails("argument-type")
    assert report(text) == []
