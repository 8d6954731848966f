"""One own binding, changed in the text of a file; the rest of the text stays."""

from __future__ import annotations

import pytest

from graphden import UsageError
from graphden.files import read_file
from graphden.read.setting import with_binding


def changed(text: str, slot: str, binding: str, name: str = "r") -> str:
    [row] = [row for row in read_file("rows.edn", text).rows if row.name == name]
    return with_binding(text, row.span, slot, binding)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("{:name :r :parent :p :args {:a 1 :b 2}}", "{:name :r :parent :p :args {:a 7 :b 2}}"),
        ("{:name :r :parent :p :args {:b 2}}", "{:name :r :parent :p :args {:b 2 :a 7}}"),
        ("{:name :r :parent :p :args {}}", "{:name :r :parent :p :args {:a 7}}"),
        ("{:name :r :parent :p}", "{:name :r :parent :p :args {:a 7}}"),
        (
            "{:name :r :parent :p :args {:a {:as :x} ; why\n }} ; end",
            "{:name :r :parent :p :args {:a 7 ; why\n }} ; end",
        ),
        (
            "{:name :r :parent :p :args {:b 2 ; why\n #_ 5 }}",
            "{:name :r :parent :p :args {:b 2 ; why\n #_ 5  :a 7}}",
        ),
        (
            "\ufeff; häder\r\n{:name :r\r\n :parent :p\r\n :args {:a\r\n [1\r\n 2]}}\r\n",
            "\ufeff; häder\r\n{:name :r\r\n :parent :p\r\n :args {:a\r\n 7}}\r\n",
        ),
        (
            "{:name :q :args {:a 1}} {:name :r :parent :q :args {:c {:args {:a 1}}}}",
            "{:name :q :args {:a 1}} {:name :r :parent :q :args {:c {:args {:a 1}} :a 7}}",
        ),
    ],
)
def test_a_binding_is_written_where_it_stands(text: str, after: str) -> None:
    assert changed(text, "a", "7") == after


@pytest.mark.parametrize("binding", ["7 ; seven", " 7\n", "#_ 6 7", "; six\n7"])
def test_what_stands_around_the_value_is_not_taken(binding: str) -> None:
    assert changed("{:name :r :args {:a 1}}", "a", binding) == "{:name :r :args {:a 7}}"


@pytest.mark.parametrize("binding", ["", "1 2", "{:a", "}", "7} {:name :evil", "; 7"])
def test_what_is_not_one_form_is_refused(binding: str) -> None:
    with pytest.raises(UsageError) as caught:
        changed("{:name :r :args {:a 1}}", "a", binding)
    assert caught.value.code == "bad-binding"
