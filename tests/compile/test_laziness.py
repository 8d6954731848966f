"""LANGUAGE 7.1: call by need."""

import pytest

from tests.oracle.probe import run

NOTED = """
    {:name :yes :parent :do :args {:steps [{:parent :tick :args {:tag "yes"}} true]}}
    {:name :no :parent :do :args {:steps [{:parent :tick :args {:tag "no"}} false]}}
    {:name :nothing :parent :do :args {:steps [{:parent :tick :args {:tag "nothing"}} nil]}}
    {:name :never :parent :boom :args {:tag "never"}}
"""


@pytest.mark.parametrize(
    ("form", "value", "tags"),
    [
        (":if :args {:test :yes :then 1 :else :never}", 1, ["yes"]),
        (":if :args {:test :no :then :never :else 2}", 2, ["no"]),
        (":if :args {:test :nothing :then :never}", None, ["nothing"]),
        (":cond :args {:clauses [:no :never :yes 2 :never :never]}", 2, ["no", "yes"]),
        (":cond :args {:clauses [:no :never]}", None, ["no"]),
        (":case :args {:value 1 :clauses [2 :never 1 :yes :never :never]}", True, ["yes"]),
        (":case :args {:value 1 :clauses [1 5] :default :never}", 5, []),
        (":case :args {:value 3 :clauses [1 :never] :default :yes}", True, ["yes"]),
        (":get :args {:coll {:value {:a 1}} :key {:value :a} :default :never}", 1, []),
        (":get :args {:coll {:value {}} :key {:value :a} :default :yes}", True, ["yes"]),
        (":get-in :args {:map {:value {:a 1}} :path [{:value :a}] :default :never}", 1, []),
        (":coalesce :args {:value :no :default :never}", False, ["no"]),
        (":coalesce :args {:value :nothing :default :yes}", True, ["nothing", "yes"]),
        (":and :args {:values [:yes :no :never]}", False, ["yes", "no"]),
        (":and :args {:values [:nothing :never]}", False, ["nothing"]),
        (":and :args {:values []}", True, []),
        (":or :args {:values [:no :yes :never]}", True, ["no", "yes"]),
        (":or :args {:values [:no :nothing]}", False, ["no", "nothing"]),
        (":or :args {:values []}", False, []),
    ],
)
def test_what_is_not_needed_never_runs(form: str, value: object, tags: list[str]) -> None:
    outcome = run(f"{NOTED} {{:name :entry :parent {form}}}", "entry")
    assert outcome.error is None
    assert outcome.value is value or outcome.value == value
    assert outcome.tags == tags


@pytest.mark.parametrize("value", ["0", '""', "[]", "{:value {}}", "0.0"])
def test_only_nil_and_false_are_false(value: str) -> None:
    row = f"{{:name :entry :parent :if :args {{:test {value} :then 1 :else 2}}}}"
    assert run(row, "entry").value == 1


def test_a_binding_for_references_that_nothing_reads_never_runs() -> None:
    outcome = run(
        NOTED
        + """
        {:name :part :parent :if :args {:test false :then {:as :x} :else "other"}}
        {:name :entry :parent :const :args {:value :part :x :never}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ("other", [])


def test_what_a_callable_captures_runs_when_the_callable_first_needs_it() -> None:
    outcome = run(
        """
        {:name :reads :parent :pair :args {:left {:as :item} :right {:as :x}}}
        {:name :entry :parent :pair
         :args {:left {:parent :map :args {:func :reads :coll []}}
                :right {:parent :map :args {:func :reads :coll [7 8]}}
                :x {:parent :tick :args {:tag "captured"}}}}
        """,
        "entry",
    )
    assert (outcome.value, outcome.tags) == ([[], [[7, 1], [8, 1]]], ["captured"])


def test_a_default_that_refers_runs_only_when_the_argument_is_not_given() -> None:
    text = """
        {:name :fallback :parent :tick :args {:tag "default"}}
        {:name :entry :parent :identity :args {:value {:as :n :ref :fallback}}}
        {:name :in-list :parent :list :args {:items [{:as :n :ref :fallback}]}}
    """
    assert run(text, "entry").tags == ["default"]
    assert run(text, "entry", n=5).tags == []
    assert run(text, "in-list").value == [1]
    assert run(text, "in-list", n=5).value == [5]


def test_a_lazy_slot_is_evaluated_once_however_often_a_base_function_asks() -> None:
    """LANGUAGE 7.2: within an activation a reference is evaluated at most once."""
    row = "{:name :entry :parent :twice :args {:value {:parent :tick :args {:tag 1}}}}"
    outcome = run(row, "entry")
    assert (outcome.value, outcome.tags) == ([1, 1], [1])


def test_a_list_from_elsewhere_is_taken_whole_by_a_lazy_list_slot() -> None:
    text = """
        {:name :entry :parent :and :args {:values {:as :values}}}
        {:name :fixed :parent :or :args {:values {:value [false 3]}}}
    """
    assert run(text, "entry", values=[1, None, 2]).value is False
    assert run(text, "fixed").value is True
