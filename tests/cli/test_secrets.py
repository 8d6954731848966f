"""What is secret is not printed by what shows rows (LANGUAGE 8.7)."""

from __future__ import annotations

import pytest

ROWS = """\
{:name :bound   :parent :identity :args {:value {:value "s3cr" :type [:secret :text]}}}
{:name :default :parent :identity
 :args {:value {:as :password :value "s3cr" :type [:secret :text]}}}
{:name :again   :parent :default :args {:password "s3cr2"}}
{:name :feeding :parent :identity :args {:value :default :password "s3cr"}}
{:name :refed   :parent :feeding :args {:password "s3cr3"}}
{:name :account :type {:user :text :password [:secret :text]}}
{:name :inside  :parent :identity
 :args {:value {:value {:user "bob" :password "s3cr"} :type :account}}}
{:name :made    :parent :account :args {:user "bob" :password "s3cr"}}
{:name :item    :parent :first
 :args {:coll [{:as :one :value "s3cr" :type [:secret :text]}
               {:value "s3cr" :type [:secret :text]}]}}
"""


@pytest.mark.parametrize("words", [("--json",), ()], ids=["json", "text"])
@pytest.mark.parametrize("command", [("show",), ("explain",), ("show", "--types")])
def test_a_secret_literal_is_hidden(run, rows, command, words):
    rows(ROWS)
    names = "bound default again feeding refed inside made item"
    shown = [run(*command, name, *words) for name in names.split()]
    assert {each.code for each in shown} == {0}
    assert [each.out for each in shown if "s3cr" in each.out] == []


def test_what_is_hidden_is_said_and_what_is_beside_it_is_shown(run, rows):
    rows(ROWS)
    assert '[:secret :text] = "‹secret›"' in run("show", "bound").out
    assert ':bound binds it to "‹secret›"' in run("explain", "bound").out
    assert 'default "‹secret›"' in run("show", "default").out
    assert '{:user "bob" :password "‹secret›"}' in run("show", "inside").out


WRONG = """\
{:name :login :parent :identity :args {:value {:as :pw :type [:secret :text]}}}
{:name :listed :parent :login :args {:pw {:value ["hunter2-listed" 3]}}}
{:name :claimed :parent :identity :return-type [:secret :text] :args {:value "hunter2-claim"}}
{:name :other :parent :const
 :args {:value {:as :d :type [:secret :text] :value "hunter2-other"}}}
{:name :logged :parent :log
 :args {:message "x" :data {:as :d :type [:secret :text] :value "hunter2-logged"}}}
{:name :sum :parent :add :args {:nums [:claimed :other "wrong"]}}
"""


@pytest.mark.parametrize("words", [("--json",), ()], ids=["json", "text"])
def test_no_problem_shows_a_secret_literal_nor_a_frame_of_one(run, rows, words):
    rows(WRONG)
    told = run("check", *words)
    assert told.code == 1
    assert "hunter2" not in told.out + told.err
    for row in ["login", "listed", "claimed", "other", "logged", "sum"]:
        for command in ("show", "explain", "run"):
            told = run(command, row, *words)
            assert "hunter2" not in told.out + told.err


def test_a_masked_frame_keeps_its_columns(run, rows):
    rows(WRONG)
    frames = run("check").err.splitlines()
    [line] = [line for line in frames if '["•' in line]
    assert '{:pw {:value ["••••••••••••••" 3]}}}' in line


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        (
            '{:name :r :parent :logni :args {:password "hunter2"}}',
            '{:name :r :parent :logni :args {:password "•••••••"}}',
        ),
        (
            '{:name :r :parent :login :args {:password "hunter2" :password 3}}',
            '{:name :r :parent :login :args {:password "•••••••" :password •}}',
        ),
        (
            '{:name :r :parent :login :args {:password {:value "hunter\\"2" :zzz 1}}}',
            '{:name :r :parent :login :args {:password {:value "•••••••••" :zzz •}}}',
        ),
        (
            "{:name :r :parent :logni :args {:passwords 77 :password {:as :p :value 77}}}",
            "{:name :r :parent :logni :args {:passwords 77 :password {:as :p :value ••}}}",
        ),
        (
            '{:name :r :parent :id :args {:x {:type [:secret :text] :value "hunter2" :z 1}}}',
            '{:name :r :parent :id :args {:x {:type [:secret :text] :value "•••••••" :z •}}}',
        ),
        (
            '{:name :r :parent :nil :args {:pin ["hunter2" nil :ref]}}',
            '{:name :r :parent :nil :args {:pin ["•••••••" nil :ref]}}',
        ),
        (
            '{:name :r :parent :account :args {:key "hunter2" :value "shown"} :zzz 1}',
            '{:name :r :parent :account :args {:key "•••••••" :value "shown"} :zzz 1}',
        ),
    ],
)
def test_no_frame_of_rows_that_make_no_graph_shows_a_secret_literal(run, rows, row, shown):
    """What stands in which slot is not known of them: the names tell."""
    rows(
        "{:name :login :parent :some? :args {:value {:as :password :type [:secret :text]}}}\n"
        "{:name :account :type {:user :text :key [:secret :text]}}\n"
        "{:name :unknown :parent :none :args {:x {:as :pin :type [:secret :int]}}}\n" + row
    )
    told = run("check")
    assert told.code == 1
    lines = [line for line in told.err.splitlines() if line.startswith(" 4 | {")]
    assert set(lines) == {f" 4 | {shown}"}
    assert "hunter2" not in told.out + told.err
