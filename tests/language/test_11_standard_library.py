"""LANGUAGE 11: the vocabulary, and its edge behaviour as rows say it.

tests/stdlib proves each function; here is what the contract's last paragraph says, in rows.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from graphden.edn import Keyword
from tests.language.saying import Fails, exact, fails, graph, report, rows, value

SLOTS = """
add nums            sub nums            mul nums            div nums
mod dividend divisor                    quot dividend divisor
neg number          abs number          eq values           neq values
lt nums             lte nums            gt nums             gte nums
and values          or values           not value           some? value
nil? value          zero? number        is-a? value type    if test then else?
cond clauses        case value clauses default?             coalesce value default
assert value        assert-some value   assert-eq actual expected
const value         identity value      equal? a b
first coll          rest coll           vec coll            count coll
empty? coll         reverse coll        sort coll           flatten coll
distinct coll       cons item coll      list items          conj coll item
get coll key default?                   get-in map path default?
assoc map key value                     dissoc map key      contains? coll key
keys map            vals map            merge maps          into to from
assoc-in m path v   update-in m path f  range start? end step?
repeat count item   take count coll     drop count coll     concat colls
select-keys m ks    zipmap keys vals    update-vals m f     update-keys m f
postwalk f coll     pairs->map entries  position-in coll value
map func coll       filter pred coll    some pred coll      every? pred coll
find-first pred coll                    reduce func init coll
group-by key-fn coll                    sort-by key-fn coll
for-each func coll  comp functions
str parts           subs string start end?                  str-len string
byte-len string     str-upper string    str-lower string    str-trim string
blank? string       non-blank? string   str-split string separator limit?
str-join coll separator?                str-contains? string substring
str-starts-with? string prefix          str-replace string match replacement
re-find? string pattern                 do steps            try body on-throw
throw exception     ex-info message data?                    throwable-message ex
ex-data ex          invoke func arg     call func arg       call-noargs func
fix step input      atom initial-value  cell initial-value  swap a func
reset a v           deref a             current-time-ms     sleep ms
loop-until-stopped body                 loop-until-interrupted body
parse-json string keywordize?           to-json-string data   to-json data
env name            log level message data?                  digest-hex algorithm s
uuid                str-to-keyword      keyword-to-str      name
pr-str              to-str              re-replace          log-warn
parse-int           parse-uuid          sleep-until-ms      with-heartbeat
cron-parse          cron-fire-after     schedule
"""


def functions() -> list[tuple[str, list[str]]]:
    found = []
    for line in SLOTS.strip().splitlines():
        for part in line.replace("  ", "\t").split("\t"):
            if part.strip():
                name, *slots = part.split()
                found.append((name, slots))
    return found


ANY_SLOTS = {
    "str-to-keyword", "keyword-to-str", "name", "pr-str", "to-str", "re-replace", "log-warn",
    "parse-int", "parse-uuid", "sleep-until-ms", "with-heartbeat", "cron-parse",
    "cron-fire-after", "schedule",
}  # fmt: skip


@pytest.mark.parametrize(("name", "slots"), functions(), ids=str)
def test_11_names_and_slots_are_those_of_the_public_vocabulary(name, slots):
    found = {
        each.name: f"{each.name}{'' if each.required else '?'}"
        for each in graph("").interface(name)
    }
    if name not in ANY_SLOTS:
        assert [found[each.rstrip("?")] for each in slots] == slots


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("positive-int", [1, 10**20], [0, -1, 1.0, True, None, "1"]),
        ("non-negative-int", [0, 1], [-1, 0.0, None]),
        ("negative-int", [-1], [0, 1, -1.0]),
        ("non-empty-text", ["a", " "], ["", None, Keyword("a"), 1]),
        ("non-blank-text", ["a", " a "], ["", " ", "\n\t", None]),
        ("positive-numeric", [1, 0.5, Decimal("0.1")], [0, -1, 0.0, "1", True]),
        ("percent", [0, 100, 50.5], [-1, 101, None]),
        ("probability", [0, 1, 0.5], [-0.1, 1.1, 2]),
        ("port", [1, 65535], [0, 65536, "80", 80.0]),
        ("http-status", [100, 200, 599], [99, 600, "200"]),
        ("nullable-text", ["", None], [1, Keyword("a")]),
        ("nullable-int", [1, None], [1.0, "1", False]),
        ("nullable-uuid", [None], ["x", 1]),
        ("nullable-jsonb", [None, 1, "a", {"a": [1]}], []),
        ("nullable-bool", [True, None], [0, "true"]),
        ("nullable-keyword", [Keyword("a"), None], ["a", 1]),
        ("keyword-map", [{}, {Keyword("a"): 1}], [{1: 2}, [], None]),
        ("text-map", [{}, {"a": 1}], [{1: 2}, [], None]),
    ],
)
def test_11_refinements(name, inside, outside):
    text = f"{{:name :r :parent :str :args {{:parts [{{:as :x :type :{name}}}]}}}}"
    assert report(text) == []
    for each in inside:
        assert value(text, x=each) != Fails("argument-type"), each
    for each in outside:
        assert value(text, x=each) == Fails("argument-type"), each


@rows(
    "{:name :item :parent :identity :args {:value {:as :item}}}"
    "{:name :boom :parent :throw :args {:exception 1}}"
    "{:name :nothing :parent :const :args {:value nil}}",
    {
        ":parent :add :args {:nums []}": 0,
        ":parent :mul :args {:nums []}": 1,
        ":parent :sub :args {:nums []}": Fails("invalid-argument"),
        ":parent :div :args {:nums []}": Fails("invalid-argument"),
        ":parent :sub :args {:nums [5]}": -5,
        ":parent :sub :args {:nums [5M]}": Decimal(-5),
        ":parent :div :args {:nums [4]}": 0.25,
        ":parent :first :args {:coll []}": None,
        ":parent :rest :args {:coll []}": [],
        ":parent :get :args {:coll :nothing :key 1}": None,
        ":parent :get :args {:coll :nothing :key 1 :default 5}": 5,
        ":parent :get-in :args {:map :nothing :path [1] :default 5}": 5,
        ":parent :assoc :args {:map :nothing :key {:value :a} :value 1}": {Keyword("a"): 1},
        ":parent :assoc-in :args {:m :nothing :path {:value [:a :b]} :v 1}": {
            Keyword("a"): {Keyword("b"): 1}
        },
        ":parent :str :args {:parts [nil]}": "",
        ":parent :str :args {:parts []}": "",
        ':parent :str :args {:parts [1 nil "a" {:value :k} true 1.5]}': "1a:ktrue1.5",
        ":parent :do :args {:steps []}": None,
        ":parent :do :args {:steps [1 nil]}": None,
        ":parent :do :args {:steps [nil 2]}": 2,
        ":parent :mod :args {:dividend 7 :divisor 3}": 1,
        ":parent :mod :args {:dividend -7 :divisor 3}": 2,
        ":parent :mod :args {:dividend 7 :divisor -3}": -2,
        ":parent :mod :args {:dividend -7 :divisor -3}": -1,
        ":parent :mod :args {:dividend -7.5 :divisor 3}": 1.5,
        ":parent :mod :args {:dividend -7M :divisor 3}": Decimal(2),
        ":parent :mod :args {:dividend 7M :divisor -3}": Decimal(-2),
        ":parent :quot :args {:dividend 7 :divisor 3}": 2,
        ":parent :quot :args {:dividend -7 :divisor 3}": -2,
        ":parent :quot :args {:dividend 7 :divisor -3}": -2,
        ":parent :quot :args {:dividend -7M :divisor 3}": Decimal(-2),
        ":parent :and :args {:values [1 2]}": True,
        ":parent :and :args {:values [1 nil]}": False,
        ":parent :and :args {:values []}": True,
        ":parent :or :args {:values [nil 2]}": True,
        ":parent :or :args {:values [nil false]}": False,
        ":parent :or :args {:values []}": False,
        ":parent :reduce :args {:func :item :init 0 :coll [1]}": [0, 1],
        ":parent :reduce :args {:func :item :init 0 :coll []}": 0,
        ":parent :cond :args {:clauses [nil 1 false 2 0 3]}": 3,
        ":parent :cond :args {:clauses []}": None,
        ":parent :cond :args {:clauses [false 1]}": None,
        ":parent :cond :args {:clauses [true]}": Fails("invalid-argument"),
        ":parent :try :args {:body :boom :on-throw {:parent :const :args {:value 2}}}": 2,
        ":parent :not :args {:value 0}": False,
        ":parent :not :args {:value nil}": True,
        ":parent :range :args {:end 3}": [0, 1, 2],
        ":parent :range :args {:start 3 :end 0 :step -2}": [3, 1],
        ":parent :range :args {:end 0}": [],
        ":parent :range :args {:end 3 :step 0}": Fails("invalid-argument"),
        ":parent :every? :args {:pred :item :coll []}": True,
        ":parent :some :args {:pred :item :coll []}": None,
        ":parent :take :args {:count 5 :coll [1]}": [1],
        ":parent :drop :args {:count 5 :coll [1]}": [],
        ":parent :for-each :args {:func :item :coll [1]}": None,
        ":parent :comp :args {:functions []}": "callable",
        ":parent :concat :args {:colls [[1] [] [2]]}": [1, 2],
        ":parent :merge :args {:maps []}": {},
        ":parent :conj :args {:coll [1] :item 2}": [1, 2],
        ":parent :cons :args {:item 0 :coll [1]}": [0, 1],
        ':parent :str-join :args {:coll [1 nil "a"]}': "1a",
        ":parent :constantly :args {:value 4}": 4,
        ":parent :coalesce :args {:value false :default 1}": False,
        ":parent :zero? :args {:number 0.0}": True,
        ":parent :empty? :args {:coll :nothing}": True,
    },
)
def test_11_edge_behaviour(text, row, expected):
    found = value(text, row)
    if expected == "callable":
        assert callable(found)
    else:
        assert exact(found) == exact(expected)


@pytest.mark.parametrize("raised", [ValueError, SystemExit, KeyboardInterrupt])
def test_11_try_catches_whatever_a_row_can_raise(raised):
    text = (
        "{:name :r :parent :try :args {:body {:as :body} :on-throw :said}}"
        "{:name :said :parent :throwable-message :args {:ex {:as :exception}}}"
    )

    def body():
        raise raised("gone")

    assert "gone" in value(text, body=body)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (":parent :assert :args {:value false}", "assertion-failed"),
        (":parent :assert-some :args {:value nil}", "assertion-failed"),
        (":parent :assert-eq :args {:actual 1 :expected true}", "assertion-failed"),
        (':parent :parse-int :args {:string "x"}', "invalid-argument"),
        (":parent :throw :args {:exception {:a 1}}", "thrown"),
    ],
)
def test_11_failures_of_the_library_have_documented_codes(body, code):
    assert fails(f"{{:name :r {body}}}").code == code
