"""Programs that are hostile by their size or their depth: `PROGRAMS[name](n)` is the text.

Every one of them has a row `main`. Each must give a value, or one clear error, in time that
grows with the size of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

PROGRAMS: dict[str, Callable[[int], str]] = {}


def program(make: Callable[[int], Iterator[str]]) -> Callable[[int], str]:
    """Register lines of rows as a program."""

    def text(n: int) -> str:
        return "\n".join(make(n))

    PROGRAMS[make.__name__.replace("_", " ")] = text
    return text


def _chain(n: int, first: str, step: str, given: str = "") -> Iterator[str]:
    """Rows r0 … rn: the first, then n times a step, with the row before it for BEFORE."""
    yield f"{{:name :r0 {first}}}"
    for k in range(1, n + 1):
        yield f"{{:name :r{k} {step.replace('BEFORE', f':r{k - 1}')}}}"
    yield f"{{:name :main :parent :identity :args {{:value :r{n}{given}}}}}"


ONE = ":parent :add :args {:nums [1]}"


@program
def chain_of_references(n: int) -> Iterator[str]:
    yield from _chain(n, ONE, ":parent :add :args {:nums [BEFORE 1]}")


@program
def chain_of_references_backwards(n: int) -> Iterator[str]:
    yield from reversed(list(_chain(n, ONE, ":parent :add :args {:nums [BEFORE 1]}")))


@program
def chain_that_takes_an_argument(n: int) -> Iterator[str]:
    yield from _chain(
        n,
        ":parent :add :args {:nums [{:as :x} 1]}",
        ":parent :add :args {:nums [BEFORE 1]}",
        " :x 1",
    )


@program
def chain_of_arms(n: int) -> Iterator[str]:
    yield from _chain(n, ONE, ":parent :if :args {:test true :then BEFORE :else 0}")


@program
def chain_of_lazy_values(n: int) -> Iterator[str]:
    yield from _chain(
        n, ONE, ":parent :get :args {:coll {:value {}} :key {:value :a} :default BEFORE}"
    )


@program
def chain_of_lists(n: int) -> Iterator[str]:
    yield from _chain(
        n, ":parent :list :args {:items [1]}", ":parent :list :args {:items [BEFORE]}"
    )


@program
def chain_of_maps(n: int) -> Iterator[str]:
    yield from _chain(
        n,
        ":parent :assoc :args {:map {} :key {:value :a} :value 1}",
        ":parent :assoc :args {:map {} :key {:value :a} :value BEFORE}",
    )


@program
def diamonds(n: int) -> Iterator[str]:
    yield from _chain(n, ONE, ":parent :add :args {:nums [BEFORE BEFORE]}")


@program
def diamonds_of_lists(n: int) -> Iterator[str]:
    yield from _chain(
        n,
        ":parent :list :args {:items [1]}",
        ":parent :count :args {:coll {:parent :list :args {:items [BEFORE BEFORE]}}}",
    )


@program
def diamonds_of_nested_lists(n: int) -> Iterator[str]:
    yield from _chain(
        n, ":parent :list :args {:items [1]}", ":parent :list :args {:items [BEFORE BEFORE]}"
    )
    yield f"{{:name :counted :parent :count :args {{:coll :r{n}}}}}"


@program
def diamonds_of_maps(n: int) -> Iterator[str]:
    both = " ".join(
        f"{{:parent :assoc :args {{:map {{}} :key {{:value :{key}}} :value BEFORE}}}}"
        for key in "ab"
    )
    step = f":parent :merge :args {{:maps [{both}]}}"
    yield from _chain(n, ":parent :assoc :args {:map {} :key {:value :a} :value 1}", step)
    yield f"{{:name :counted :parent :count :args {{:coll :r{n}}}}}"


@program
def diamonds_with_an_argument(n: int) -> Iterator[str]:
    yield from _chain(
        n,
        ":parent :add :args {:nums [{:as :x} 1]}",
        ":parent :add :args {:nums [BEFORE BEFORE]}",
        " :x 1",
    )


@program
def diamonds_with_two_arguments(n: int) -> Iterator[str]:
    """Every level gives the level below other arguments, twice: 2 to the n environments."""
    yield "{:name :r0 :parent :add :args {:nums [{:as :x0} 1]}}"
    for k in range(1, n + 1):
        twice = " ".join(
            f"{{:parent :identity :args {{:value :r{k - 1} :x{k - 1} "
            f"{{:parent :add :args {{:nums [{{:as :x{k}}} {more}]}}}}}}}}"
            for more in (1, 2)
        )
        yield f"{{:name :r{k} :parent :add :args {{:nums [{twice}]}}}}"
    yield f"{{:name :main :parent :identity :args {{:value :r{n} :x{n} 1}}}}"


@program
def diamonds_of_chance(n: int) -> Iterator[str]:
    yield from _chain(
        n, ":parent :str :args {:parts [:uuid]}", ":parent :str :args {:parts [BEFORE BEFORE]}"
    )


@program
def diamonds_of_parents(n: int) -> Iterator[str]:
    """Each row is used by two that derive it, and give its argument two other names."""
    yield "{:name :r0 :parent :add :args {:nums [{:as :x0} 1]}}"
    for k in range(1, n + 1):
        twice = " ".join(
            f"{{:parent :r{k - 1} :args {{:x{k - 1} {{:as :x{k}}} :nums [{more}]}}}}"
            if k == 1
            else f"{{:parent :r{k - 1} :args {{:x{k - 1} {{:as :x{k}}}}}}}"
            for more in (1, 2)
        )
        yield f"{{:name :r{k} :parent :add :args {{:nums [{twice}]}}}}"
    yield f"{{:name :main :parent :identity :args {{:value :r{n} :x{n} 1}}}}"


@program
def feeds_that_need_each_other_twice(n: int) -> Iterator[str]:
    yield f"{{:name :last :parent :add :args {{:nums [{{:as :x{n}}}]}}}}"
    for k in range(n):
        yield f"{{:name :s{k} :parent :add :args {{:nums [{{:as :x{k}}} {{:as :x{k}}}]}}}}"
    feeds = " ".join(f":x{k + 1} :s{k}" for k in range(n))
    yield f"{{:name :main :parent :identity :args {{:value :last :x0 1 {feeds}}}}}"


@program
def chain_of_callables(n: int) -> Iterator[str]:
    """Each row maps the one before over a list with its own argument in it."""
    step = (
        ":parent :first :args {:coll {:parent :map :args {:func BEFORE :coll [{:as :item}]}}}"
    )
    yield from _chain(n, ":parent :add :args {:nums [{:as :item} 1]}", step, " :item 1")


@program
def captured_arguments(n: int) -> Iterator[str]:
    """Callables inside callables, the innermost of which uses what all are called with."""
    yield (
        "{:name :r0 :parent :add :lambda-params [:i1] :args {:nums ["
        + " ".join(f"{{:as :i{k}}}" for k in range(1, n + 1))
        + "]}}"
    )
    for k in range(1, n + 1):
        yield (
            f"{{:name :r{k} :parent :first :lambda-params [{f':i{k + 1}' if k < n else ''}] "
            f":args {{:coll {{:parent :map :args {{:func :r{k - 1} :coll [1]}}}}}}}}"
        )
    yield f"{{:name :main :parent :identity :args {{:value :r{n}}}}}"


@program
def inheritance(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :add :args {:nums [1]}}"
    for k in range(1, n + 1):
        yield f"{{:name :r{k} :parent :r{k - 1}}}"
    yield f"{{:name :main :parent :r{n}}}"


@program
def inheritance_that_appends(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :add :args {:nums [1]}}"
    for k in range(1, n + 1):
        yield f"{{:name :r{k} :parent :r{k - 1} :args {{:nums [1]}}}}"
    yield f"{{:name :main :parent :r{n}}}"


@program
def inheritance_that_feeds(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :add :args {:nums [{:as :a}]}}"
    for k in range(1, n + 1):
        yield f"{{:name :r{k} :parent :r{k - 1} :args {{:a {{:as :a :value {k}}}}}}}"
    yield f"{{:name :main :parent :r{n}}}"


@program
def chain_of_renames(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :identity :args {:value {:as :x0}}}"
    for k in range(1, n + 1):
        yield f"{{:name :r{k} :parent :r{k - 1} :args {{:x{k - 1} {{:as :x{k}}}}}}}"
    yield f"{{:name :main :parent :r{n} :args {{:x{n} 1}}}}"


@program
def chain_of_renames_through_references(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :identity :args {:value {:as :x0}}}"
    for k in range(1, n + 1):
        bound = f":value :r{k - 1} :x{k - 1} {{:as :x{k}}}"
        yield f"{{:name :r{k} :parent :identity :args {{{bound}}}}}"
    yield f"{{:name :main :parent :identity :args {{:value :r{n} :x{n} 1}}}}"


@program
def chain_of_defaults(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :identity :args {:value {:as :x0}}}"
    for k in range(1, n + 1):
        yield f"{{:name :d{k} :parent :add :args {{:nums [{{:as :x{k}}} 1]}}}}"
        bound = f":value :r{k - 1} :x{k - 1} {{:as :x{k} :ref :d{k}}}"
        yield f"{{:name :r{k} :parent :identity :args {{{bound}}}}}"
    yield f"{{:name :main :parent :identity :args {{:value :r{n} :x{n} 1}}}}"


@program
def inline_rows(n: int) -> Iterator[str]:
    yield (
        "{:name :main :parent :add :args {:nums ["
        + "{:parent :add :args {:nums [" * n
        + "1"
        + "]}}" * n
        + "]}}"
    )


@program
def a_row_used_often(n: int) -> Iterator[str]:
    yield f"{{:name :r {ONE}}}"
    yield "{:name :main :parent :add :args {:nums [" + ":r " * n + "]}}"


@program
def a_row_of_many_slots_used_often(n: int) -> Iterator[str]:
    opened = " ".join(f"{{:as :a{k} :value {k}}}" for k in range(n))
    yield f"{{:name :r :parent :add :args {{:nums [{opened}]}}}}"
    yield "{:name :main :parent :add :args {:nums [" + ":r " * n + "]}}"


@program
def a_row_used_by_many(n: int) -> Iterator[str]:
    yield f"{{:name :r {ONE}}}"
    for k in range(n):
        yield f"{{:name :u{k} :parent :add :args {{:nums [:r {k}]}}}}"
    yield (
        "{:name :main :parent :add :args {:nums ["
        + " ".join(f":u{k}" for k in range(n))
        + "]}}"
    )


@program
def many_items(n: int) -> Iterator[str]:
    yield "{:name :main :parent :add :args {:nums [" + "1 " * n + "]}}"


@program
def many_alternatives(n: int) -> Iterator[str]:
    yield "{:name :no :parent :not :args {:value {:as :x}}}"
    yield "{:name :main :parent :or :args {:x true :values [" + ":no " * n + "]}}"


@program
def many_different_alternatives(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :no{k} :parent :eq :args {{:values [{k} {{:as :x}}]}}}}"
    yield (
        "{:name :main :parent :or :args {:x -1 :values ["
        + " ".join(f":no{k}" for k in range(n))
        + "]}}"
    )


@program
def many_clauses(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :is{k} :parent :eq :args {{:values [{k} {{:as :x}}]}}}}"
    yield (
        "{:name :main :parent :cond :args {:x -1 :clauses ["
        + " ".join(f":is{k} {k}" for k in range(n))
        + "]}}"
    )


@program
def many_parents(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :p{k} :parent :add :args {{:nums [{k}]}}}}"
    yield "{:name :main :parents [" + " ".join(f":p{k}" for k in range(n)) + "]}"


@program
def many_children(n: int) -> Iterator[str]:
    yield f"{{:name :p {ONE}}}"
    for k in range(n):
        yield f"{{:name :c{k} :parent :p :args {{:nums [{k}]}}}}"
    yield "{:name :main :parent :p}"


@program
def a_wide_record(n: int) -> Iterator[str]:
    fields = " ".join(f":f{k} :int" for k in range(n))
    yield f"{{:name :wide :type {{{fields}}}}}"
    yield f"{{:name :wider :type {{{fields} :more :int}}}}"
    values = " ".join(f":f{k} {k}" for k in range(n))
    yield f"{{:name :made :parent :wider :args {{{values} :more 1}}}}"
    yield "{:name :taken :parent :identity :args {:value {:as :r :type :wide}}}"
    yield "{:name :took :parent :taken :args {:r :made}}"
    yield "{:name :main :parent :get :args {:coll :took :key {:value :f1}}}"


@program
def two_wide_records(n: int) -> Iterator[str]:
    yield f"{{:name :wide :type {{{' '.join(f':f{k} :int' for k in range(n))}}}}}"
    yield f"{{:name :other :type {{{' '.join(f':f{k} :int' for k in reversed(range(n)))}}}}}"
    yield "{:name :other-of :parent :identity :args {:value {:as :r :type :other}}}"
    yield "{:name :from-wide :parent :other-of :args {:r {:as :w :type :wide}}}"
    yield f"{{:name :main {ONE}}}"


@program
def a_wide_union(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :t{k} :type {{:f{k} :int}}}}"
    yield "{:name :any-of :union [" + " ".join(f":t{k}" for k in range(n)) + "]}"
    yield f"{{:name :main :parent :any-of :args {{:value {{:value {{:f{n - 1} 1}}}}}}}}"


@program
def two_wide_unions(n: int) -> Iterator[str]:
    members = [f"{{:f{k} :int}}" for k in range(n)]
    yield f"{{:name :one :union [{' '.join(members)}]}}"
    yield f"{{:name :other :union [{' '.join(reversed(members))}]}}"
    yield "{:name :other-of :parent :identity :args {:value {:as :r :type :other}}}"
    yield "{:name :from-one :parent :other-of :args {:r {:as :w :type :one}}}"
    yield f"{{:name :main {ONE}}}"


@program
def chain_of_type_rows(n: int) -> Iterator[str]:
    yield "{:name :t0 :refine {:base :int :constraint [:> 0]}}"
    for k in range(1, n + 1):
        yield f"{{:name :t{k} :refine {{:base :t{k - 1} :constraint [:> {k}]}}}}"
    yield f"{{:name :main :parent :t{n} :args {{:value {n + 1}}}}}"


@program
def chain_of_union_rows(n: int) -> Iterator[str]:
    yield "{:name :t0 :union [:int :null]}"
    for k in range(1, n + 1):
        yield f"{{:name :t{k} :union [:t{k - 1}]}}"
    yield f"{{:name :main :parent :t{n} :args {{:value 1}}}}"


@program
def chain_of_records(n: int) -> Iterator[str]:
    yield "{:name :t0 :type {:a :int}}"
    for k in range(1, n + 1):
        yield f"{{:name :t{k} :union [:null {{:a :t{k - 1}}}]}}"
    yield f"{{:name :taken :parent :identity :args {{:value {{:as :x :type :t{n}}}}}}}"
    yield "{:name :main :parent :taken :args {:x nil}}"


@program
def diamonds_of_types(n: int) -> Iterator[str]:
    yield "{:name :t0 :type {:a :int}}"
    yield "{:name :u0 :type {:a :int}}"
    for k in range(1, n + 1):
        yield f"{{:name :t{k} :type {{:a :t{k - 1} :b :t{k - 1}}}}}"
        yield f"{{:name :u{k} :type {{:a :u{k - 1} :b :u{k - 1}}}}}"
    yield f"{{:name :u-of :parent :identity :args {{:value {{:as :r :type :u{n}}}}}}}"
    yield f"{{:name :from-t :parent :u-of :args {{:r {{:as :w :type :t{n}}}}}}}"
    yield f"{{:name :main {ONE}}}"


@program
def nested_types(n: int) -> Iterator[str]:
    yield f"{{:name :deep :list {'[:list ' * n}:int{']' * n}}}"
    yield "{:name :main :parent :deep :args {:items [1]}}"


@program
def nested_constraints(n: int) -> Iterator[str]:
    yield f"{{:name :deep :refine {{:base :int :constraint {'[:and ' * n}[:> 0]{']' * n}}}}}"
    yield "{:name :main :parent :deep :args {:value 1}}"


@program
def an_enumeration(n: int) -> Iterator[str]:
    values = " ".join(map(str, range(n)))
    yield f"{{:name :one-of :refine {{:base :int :constraint [:in [{values}]]}}}}"
    yield "{:name :taken :parent :identity :args {:value {:as :x :type :one-of}}}"
    yield f"{{:name :main :parent :taken :args {{:x {n - 1}}}}}"


@program
def two_enumerations(n: int) -> Iterator[str]:
    names = [f":k{k}" for k in range(n)]
    for row, values in (("one", names), ("other", reversed(names))):
        allowed = f"[:in [{' '.join(values)}]]"
        yield f"{{:name :{row} :refine {{:base :keyword :constraint {allowed}}}}}"
    yield "{:name :other-of :parent :identity :args {:value {:as :r :type :other}}}"
    yield "{:name :from-one :parent :other-of :args {:r {:as :w :type :one}}}"
    yield f"{{:name :main {ONE}}}"


@program
def nested_brackets(n: int) -> Iterator[str]:
    yield "[" * n


@program
def nested_vectors(n: int) -> Iterator[str]:
    yield f"{{:name :main :parent :identity :args {{:value {'[' * n}{']' * n}}}}}"


@program
def nested_maps(n: int) -> Iterator[str]:
    nested = "{:a " * n + "1" + "}" * n
    yield f"{{:name :main :parent :identity :args {{:value {{:value {nested}}}}}}}"


@program
def nested_rows_of_vectors(n: int) -> Iterator[str]:
    yield "[" * n + "]" * n


@program
def a_long_text(n: int) -> Iterator[str]:
    yield f'{{:name :main :parent :str-len :args {{:string "{"x" * n}"}}}}'


@program
def a_long_escaped_text(n: int) -> Iterator[str]:
    yield f'{{:name :main :parent :str-len :args {{:string "{chr(92) * 2 * n}"}}}}'


@program
def a_long_number(n: int) -> Iterator[str]:
    yield f"{{:name :main :parent :add :args {{:nums [{'7' * n} 1]}}}}"


@program
def a_long_decimal(n: int) -> Iterator[str]:
    yield f"{{:name :main :parent :identity :args {{:value {'7' * n}.5M}}}}"


@program
def a_long_float(n: int) -> Iterator[str]:
    yield f"{{:name :main :parent :identity :args {{:value 1.{'7' * n}}}}}"


@program
def a_long_name(n: int) -> Iterator[str]:
    yield f"{{:name :{'x' * n} {ONE}}}"
    yield f"{{:name :main :parent :identity :args {{:value :{'x' * n}}}}}"


@program
def an_unknown_long_name(n: int) -> Iterator[str]:
    yield f"{{:name :{'x' * n} {ONE}}}"
    yield f"{{:name :main :parent :identity :args {{:value :{'y' * n}}}}}"


@program
def a_long_symbol(n: int) -> Iterator[str]:
    yield f"{{:name :main :parent :identity :args {{:value {'x' * n}}}}}"


@program
def many_unknown_names(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :r{k} :parent :identity :args {{:value :unknown{k}}}}}"
    yield f"{{:name :main {ONE}}}"


@program
def many_unknown_slots(n: int) -> Iterator[str]:
    yield (
        "{:name :main :parent :add :args {" + " ".join(f":slot{k} {k}" for k in range(n)) + "}}"
    )


@program
def many_slots(n: int) -> Iterator[str]:
    yield (
        "{:name :wide :parent :add :args {:nums ["
        + " ".join(f"{{:as :a{k}}}" for k in range(n))
        + "]}}"
    )
    values = " ".join(f":a{k} {k}" for k in range(n))
    yield f"{{:name :main :parent :identity :args {{:value :wide {values}}}}}"


@program
def many_feeds(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :f{k} :parent :add :args {{:nums [{{:as :b{k}}}]}}}}"
    yield (
        "{:name :wide :parent :add :args {:nums ["
        + " ".join(f"{{:as :a{k}}}" for k in range(n))
        + "]}}"
    )
    values = " ".join(f":a{k} :f{k} :b{k} {k}" for k in range(n))
    yield f"{{:name :main :parent :identity :args {{:value :wide {values}}}}}"


@program
def many_feeds_in_a_chain(n: int) -> Iterator[str]:
    yield f"{{:name :last :parent :add :args {{:nums [{{:as :x{n}}}]}}}}"
    for k in range(n):
        yield f"{{:name :s{k} :parent :add :args {{:nums [{{:as :x{k}}} 1]}}}}"
    feeds = " ".join(f":x{k + 1} :s{k}" for k in range(n))
    yield f"{{:name :main :parent :identity :args {{:value :last :x0 1 {feeds}}}}}"


@program
def an_argument_through_many_rows(n: int) -> Iterator[str]:
    yield "{:name :r0 :parent :add :args {:nums [{:as :a0}]}}"
    for k in range(1, n + 1):
        yield f"{{:name :r{k} :parent :add :args {{:nums [:r{k - 1} {{:as :a{k}}}]}}}}"
    yield f"{{:name :main {ONE}}}"


@program
def many_comments(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"; {k}"
        yield f"#_{{:name :r{k}}}"
    yield f"{{:name :main {ONE}}}"


@program
def many_discards(n: int) -> Iterator[str]:
    yield "#_ " * n + "1 " * n
    yield f"{{:name :main {ONE}}}"


@program
def many_unfinished_discards(n: int) -> Iterator[str]:
    yield f"{{:name :main {ONE}}}"
    yield "#_ " * n


@program
def nested_tags(n: int) -> Iterator[str]:
    yield f"{{:name :main :parent :identity :args {{:value {'#inst ' * n}1}}}}"


@program
def many_flaws(n: int) -> Iterator[str]:
    yield "{:name :main :parent :identity :args {:value [" + "1/2 " * n + "]}}"


@program
def many_rows_with_one_name(n: int) -> Iterator[str]:
    for _ in range(n):
        yield f"{{:name :main {ONE}}}"


@program
def one_name_in_many_namespaces(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:namespace :n{k} :name :same {ONE}}}"
    for k in range(n):
        yield f"{{:name :u{k} :parent :identity :args {{:value :same}}}}"


@program
def a_long_circle(n: int) -> Iterator[str]:
    yield from _chain(
        n, f":parent :add :args {{:nums [:r{n}]}}", ":parent :add :args {:nums [BEFORE 1]}"
    )


@program
def a_long_circle_of_types(n: int) -> Iterator[str]:
    yield f"{{:name :t0 :union [:t{n}]}}"
    for k in range(1, n + 1):
        yield f"{{:name :t{k} :union [:t{k - 1}]}}"


@program
def many_equal_keys(n: int) -> Iterator[str]:
    yield "{:name :main :parent :identity :args {:value {" + ":a 1 " * n + "}}}"


@program
def a_wide_literal(n: int) -> Iterator[str]:
    yield (
        "{:name :main :parent :count :args {:coll {"
        + " ".join(f":k{k} {k}" for k in range(n))
        + "}}}"
    )


@program
def a_list_of_different_maps(n: int) -> Iterator[str]:
    yield (
        "{:name :main :parent :count :args {:coll ["
        + " ".join(f"{{:value {{:k{k} {k}}}}}" for k in range(n))
        + "]}}"
    )


@program
def many_diagnostics(n: int) -> Iterator[str]:
    for k in range(n):
        yield f'{{:name :r{k} :parent :add :args {{:nums ["{k}"]}}}}'
    yield (
        "{:name :main :parent :add :args {:nums ["
        + " ".join(f":r{k}" for k in range(n))
        + "]}}"
    )


@program
def many_misspelt_slots(n: int) -> Iterator[str]:
    opened = " ".join(f"{{:as :slot-{k:05}}}" for k in range(n))
    wrong = " ".join(f":slut-{k:05} 1" for k in range(n))
    yield f"{{:name :wide :parent :add :args {{:nums [{opened}]}}}}"
    yield f"{{:name :main :parent :identity :args {{:value :wide {wrong}}}}}"


@program
def many_rows_with_a_misspelt_slot(n: int) -> Iterator[str]:
    opened = " ".join(f"{{:as :slot-{k:05}}}" for k in range(n))
    yield f"{{:name :wide :parent :add :args {{:nums [{opened}]}}}}"
    for k in range(n):
        yield f"{{:name :r{k} :parent :identity :args {{:value :wide :slut-{k:05} 1}}}}"
    yield f"{{:name :main {ONE}}}"


@program
def many_misspelt_parameters(n: int) -> Iterator[str]:
    opened = " ".join(f"{{:as :slot-{k:05}}}" for k in range(n))
    wrong = " ".join(f":slut-{k:05}" for k in range(n))
    yield (f"{{:name :main :parent :add :args {{:nums [{opened}]}} :lambda-params [{wrong}]}}")


@program
def many_misspelt_rows(n: int) -> Iterator[str]:
    for k in range(n):
        yield f"{{:name :row-{k:05} :parent :identity :args {{:value :raw-{k:05}}}}}"
    yield f"{{:name :main {ONE}}}"


@program
def many_misspelt_tags(n: int) -> Iterator[str]:
    cases = " ".join(f":case-{k:05} :int" for k in range(n))
    yield f"{{:name :outcome :variant [{cases}]}}"
    wrong = " ".join(f"[:cash-{k:05} 1]" for k in range(n))
    yield "{:name :taken :parent :count :args {:coll {:as :x :type [:list :outcome]}}}"
    yield f"{{:name :main :parent :taken :args {{:x {{:value [{wrong}]}}}}}}"


@program
def tries_inside_each_other(n: int) -> Iterator[str]:
    step = (
        ":parent :try :args {:body {:parent :div :args {:nums [1 BEFORE]}} "
        ":on-throw {:parent :identity :args {:value 0}}}"
    )
    yield from _chain(n, ":parent :add :args {:nums [0]}", step)


@program
def many_failures_at_the_end_of_a_chain(n: int) -> Iterator[str]:
    yield (
        "{:name :r0 :parent :try :args {:body {:parent :div :args {:nums [{:as :item} 0]}} "
        ":on-throw {:parent :identity :args {:value 0}}}}"
    )
    for k in range(1, n + 1):
        yield f"{{:name :r{k} :parent :add :args {{:nums [:r{k - 1} 1]}}}}"
    yield (
        f"{{:name :main :parent :map :args {{:func :r{n} "
        f":coll {{:parent :range :args {{:start 0 :end {n}}}}}}}}}"
    )
