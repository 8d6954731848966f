"""From the forms of a file to its rows (LANGUAGE 1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphden.edn.forms import Form, Kind
from graphden.errors import Problem
from graphden.model.rows import Row
from graphden.read.declarations import read_description
from graphden.read.keys import Entries, read_entries
from graphden.read.problems import Problems, did_you_mean, shown
from graphden.read.row import read_namespace, read_row

DEFAULT_NAMESPACE = "user"
HEADER_KEYS = ("namespace", "description")


@dataclass(frozen=True, slots=True)
class Source:
    """The forms of one file. `package` names the package that the file belongs to."""

    file: str
    forms: tuple[Form, ...]
    package: str | None = None


def read_rows(source: Source) -> tuple[list[Row], list[Problem]]:
    """The rows of a file in order, and every problem of their shape."""
    rows: list[Row] = []
    found: list[Problem] = []
    namespace = DEFAULT_NAMESPACE
    for form in _maps(source.forms, found):
        entries = read_entries(form)
        name = entries.get("name")
        problems = Problems(
            str.__str__(name.value) if name and isinstance(name.value, str) else ""
        )
        if _is_header(entries):
            namespace = _read_header(entries, problems) or namespace
        else:
            row = read_row(form, entries, namespace, source.package, problems)
            if row is not None:
                rows.append(row)
        found.extend(problems.found)
    return rows, found


def _maps(forms: tuple[Form, ...], found: list[Problem]) -> Iterator[Form]:
    """The maps of a file: its forms, or the items of its only vector."""
    if len(forms) == 1 and forms[0].kind is Kind.VECTOR:
        forms = forms[0].items
    problems = Problems("")
    for form in forms:
        if form.kind is Kind.MAP:
            yield form
        else:
            problems.bad(
                form,
                f"a row is a map, and this is {shown(form)}",
                "A file holds rows such as {:name … :parent … :args …}, one after another, or "
                "one vector of them.",
            )
    found.extend(problems.found)


def _is_header(entries: Entries) -> bool:
    return "namespace" in entries.keys and not set(entries.keys) - set(HEADER_KEYS)


def _read_header(entries: Entries, problems: Problems) -> str | None:
    for key in entries.unknown:
        problems.add(
            "unknown-key",
            key.span,
            f"a header has no key {shown(key)}",
            did_you_mean(shown(key).removeprefix(":"), (*HEADER_KEYS, "name"))
            or "A map without :name sets the :namespace of the rows after it.",
        )
    read_description(entries.get("description"), problems)
    return read_namespace(entries.get("namespace"), problems)
