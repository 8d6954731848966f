"""Bodies of stdlib_graphs/system.edn."""

import logging
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.edn import Keyword, equal
from graphden.errors import RunError

K = Keyword


def key_types(value):
    return {type(key) for key in value}


def test_parse_json_makes_keywords_of_keys(call):
    """LANGUAGE 11"""
    found = call("parse-json", '{"a": [1, 2.5, null, "b"]}', True)

    assert found == {"a": [1, 2.5, None, "b"]}
    assert key_types(found) == {Keyword}


def test_parse_json_with_text_keys(call):
    """LANGUAGE 10.2"""
    assert key_types(call("parse-json", '{"a": 1}', False)) == {str}


@pytest.mark.parametrize("string", ['{"a": ', "", "[1,]", "NaN", "{'a': 1}"])
def test_malformed_json(call, string):
    """LANGUAGE 9.3"""
    with pytest.raises(RunError, match="parse-json: malformed JSON") as raised:
        call("parse-json", string, True)

    assert raised.value.code == "malformed-json"


def test_malformed_json_names_line_and_column(call):
    with pytest.raises(RunError, match="line 2, column 6"):
        call("parse-json", '{\n"a": x}', True)


@pytest.mark.parametrize("name", ["to-json", "to-json-string"])
def test_to_json(call, name):
    """LANGUAGE 10.2"""
    data = {K("a"): [1, K("b"), UUID(int=1), Decimal("1.10"), None, True]}

    written = call(name, data)

    assert written == '{"a":[1,"b","00000000-0000-0000-0000-000000000001",1.10,null,true]}'


@pytest.mark.parametrize("data", [float("nan"), frozenset(), b"", {1: 2}])
def test_what_json_has_no_form_for(call, data):
    """LANGUAGE 10.2"""
    with pytest.raises(RunError, match=r"to-json-string: at \[:a 0\]: ") as raised:
        call("to-json-string", {K("a"): [data]})

    assert raised.value.code == "invalid-argument"


@pytest.mark.parametrize(
    ("string", "number"),
    [
        ("42", 42),
        ("-7", -7),
        ("+7", 7),
        ("007", 7),
    ],
)
def test_parse_int(call, string, number):
    assert call("parse-int", string) == number


def test_parse_int_of_any_size(call):
    """LANGUAGE 10.1"""
    assert call("parse-int", "9" * 5_000) == 10**5_000 - 1


@pytest.mark.parametrize("string", ["", " 1", "1_000", "1.0", "0x1", "٣", "--1", "1\n"])
def test_parse_int_of_other_text(call, string):
    with pytest.raises(
        RunError, match=r"parse-int: :string is text .* decimal digits"
    ) as raised:
        call("parse-int", string)

    assert raised.value.code == "invalid-argument"


def test_parse_uuid(call):
    written = "01234567-89AB-cdef-0123-456789abcdef"

    assert call("parse-uuid", written) == UUID(written)


@pytest.mark.parametrize(
    "string", ["", "0123456789abcdef0123456789abcdef", "{01234567-89ab-cdef-0123-456789abcdef}"]
)
def test_parse_uuid_of_other_text(call, string):
    with pytest.raises(RunError, match="parse-uuid: "):
        call("parse-uuid", string)


def test_uuid_is_random(call):
    one, two = call("uuid"), call("uuid")

    assert one != two
    assert one.version == 4


def test_env(call, monkeypatch):
    monkeypatch.setenv("GRAPHDEN_TEST_SET", "yes")
    monkeypatch.delenv("GRAPHDEN_TEST_UNSET", raising=False)

    assert call("env", "GRAPHDEN_TEST_SET") == "yes"
    assert call("env", "GRAPHDEN_TEST_UNSET") is None


@pytest.mark.parametrize("name", ["", "a=b", "a\0b"])
def test_env_of_what_is_no_name(call, name):
    with pytest.raises(RunError, match="env: :name is text"):
        call("env", name)


@pytest.mark.parametrize("algorithm", ["sha256", "SHA-256", K("sha256")])
def test_digest(call, algorithm):
    assert call("digest-hex", algorithm, "abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_digest_of_an_unknown_algorithm(call):
    with pytest.raises(
        RunError, match=r'digest-hex: :algorithm is text "crc9"; one of .*sha256'
    ):
        call("digest-hex", "crc9", "abc")


@pytest.mark.parametrize(
    ("level", "name"),
    [(K("info"), "INFO"), ("warn", "WARNING"), (K("error"), "ERROR"), (5, "INFO")],
)
def test_log_writes_one_line(call, caplog, level, name):
    assert call("log", level, "two\nlines", {K("a"): "b\n"}) is None

    (record,) = caplog.records
    assert (record.name, record.levelname) == ("graphden.log", name)
    assert record.getMessage() == 'two\\nlines {:a "b\\n"}'


def test_log_warn(call, caplog):
    call("log-warn", "careful", None)

    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [("WARNING", "careful")]


def test_log_leaves_debug_out(call, caplog):
    call("log", "debug", "detail", None)

    assert caplog.records == []


def test_log_shows_the_beginning_of_what_is_too_long(call, caplog):
    part: object = "x"
    for _ in range(60):
        part = [part, part]
    call("log", K("info"), "all of it", part)
    call("log", K("info"), part, {K("a"): 1})

    first, second = (record.getMessage() for record in caplog.records)
    assert first.startswith("all of it [[[[[")
    assert first.endswith("…")
    assert second.endswith("… {:a 1}")
    assert max(len(first), len(second)) < 11_000


class Unwritable:
    def __str__(self):
        raise ValueError

    __repr__ = __str__


class Broken(logging.Handler):
    def emit(self, record):
        raise OSError


def test_log_never_fails(call):
    logger = logging.getLogger("graphden.log")
    handler = Broken()
    logger.addHandler(handler)
    try:
        call("log", K("info"), Unwritable(), Unwritable())
        call("log", K("info"), "x", None)
    finally:
        logger.removeHandler(handler)


def test_log_goes_to_standard_error_unless_the_application_has_its_own(
    call, capsys, monkeypatch
):
    logger = logging.getLogger("graphden.log")
    monkeypatch.setattr(logger, "propagate", False)
    monkeypatch.setattr(logger, "handlers", [])

    call("log", K("info"), "hello", [1])
    call("log", K("info"), "again", None)

    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" INFO ")[2] for line in lines] == ["hello [1]", "again"]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('ab\n"', max_size=3), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(json_values, st.booleans())
def test_json_written_then_read_is_the_same(call, value, keywordize):
    """LANGUAGE 10.2"""
    assert equal(call("parse-json", call("to-json", value), keywordize), value)


@given(st.integers())
def test_int_written_then_parsed_is_the_same(call, number):
    assert call("parse-int", call("to-str", number)) == number
