"""The page of the standard library, made of its rows and of the examples beside the page.

    python -m tests.reference.library_page

writes it anew. An example is a row of `lessons/reference/examples` named after the function it
shows: `:add-of-nothing` belongs to `add`. It asserts that `:actual`, an inline row, gives
`:expected`, and the page shows that inline row with its value.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from graphden import Graph, assets
from graphden.edn import Form, Keyword, read, write
from graphden.edn.layout import format_text
from graphden.model.resolved import ResolvedRow
from graphden.model.rows import Row, RowKind, SlotDeclaration

TOPICS = (
    "arithmetic",
    "logic",
    "collections",
    "hof",
    "strings",
    "control",
    "processes",
    "system",
    "refinements",
    "queues",
)
PAGE = assets.folder("lessons") / "reference" / "standard-library.md"
EXAMPLES = PAGE.parent / "examples"
WIDTH = 96

INTRODUCTION = """\
# The standard library

Every function and type that comes with Graphden, by topic. A row names them plainly, `:add`, or
in full, `:core.arithmetic/add`.

A heading is followed by the slots with their types and by the type of the result. A slot in
parentheses may be left out; `a`, `b` … stand for any type, the same one wherever the letter
stands. A *lazy* slot is evaluated only when the function needs it. In the examples, `; =>`
shows the value of the row and `; fails:` the code of its error; each of them is a test.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """An example: the row `name`, its source, and the private rows that it refers to."""

    name: str
    form: Form
    source: str
    helpers: Mapping[str, str]


def page() -> str:
    """The whole page."""
    graph = Graph.parse("")
    contents = [
        _filled(f"- [{topic}](#{topic}): {_about(topic)}", "  ") + "\n" for topic in TOPICS
    ]
    sections = [_section(topic, graph) for topic in TOPICS]
    return "\n".join([INTRODUCTION, "".join(contents), *sections])


def rows_of(topic: str, graph: Graph) -> list[Row]:
    """The rows of a topic that others may use, in the order of their file."""
    return [
        row
        for row in graph.program.rows.values()
        if row.package == "core"
        and row.namespace == f"core.{topic}"
        and not (row.private or row.inline)
    ]


def examples_of(topic: str) -> list[Example]:
    """The examples of a topic in the order of their file."""
    text = (EXAMPLES / f"{topic}.edn").read_text("utf-8")
    forms = [form for form in read(text, f"{topic}.edn") if form.get("name") is not None]
    sources = {_name(form): _slice(text, form) for form in forms}
    helpers = {name: source for name, source in sources.items() if name.startswith("_")}
    return [
        Example(name, form, text, _needed(sources[name], helpers))
        for form in forms
        if not (name := _name(form)).startswith("_")
    ]


def shown_by(example: str, functions: Iterable[str]) -> str | None:
    """The function that an example is named after."""
    named = [name for name in functions if example.startswith(f"{name}-")]
    return max(named, key=len, default=None)


def _section(topic: str, graph: Graph) -> str:
    rows = rows_of(topic, graph)
    names = [row.name for row in rows]
    examples = examples_of(topic)
    parts = [f"## {topic}\n", f"{_filled(_about(topic))}\n"]
    for row in rows:
        mine = [each for each in examples if shown_by(each.name, names) == row.name]
        parts.extend(_entry(row, graph.program.resolved[row.id], mine))
    return "\n".join(parts)


def _about(topic: str) -> str:
    path = assets.folder("stdlib_graphs") / f"{topic}.edn"
    header = read(path.read_text("utf-8"), path.name)[0].get("description")
    return "" if header is None else str(header.value)


def _entry(row: Row, resolved: ResolvedRow, examples: list[Example]) -> Iterator[str]:
    yield f"### {row.name}\n"
    yield f"{_signature(row, resolved)}\n"
    yield f"{_filled(row.description)}\n"
    notes = list(_notes(row, resolved))
    if notes:
        yield "\n".join(notes) + "\n"
    if examples:
        helpers = {name: text for each in examples for name, text in each.helpers.items()}
        shown = [*map(_shown, examples), *helpers.values()]
        yield "```clojure\n" + "\n".join(shown) + "\n```\n"


def _signature(row: Row, resolved: ResolvedRow) -> str:
    if row.kind is RowKind.TYPE:
        return f"Type `{row.type}`"
    if row.kind is RowKind.FUNCTION:
        slots = [_slot(p.name, str(p.type), p.required) for p in resolved.interface.values()]
    else:
        slots = [_slot(slot.name, str(slot.type), slot.required) for slot in row.slots]
    return f"`{' '.join(slots)}` → `{resolved.result}`" if slots else f"→ `{resolved.result}`"


def _slot(name: str, type_: str, required: bool) -> str:
    return f":{name} {type_}" if required else f"(:{name} {type_})"


def _notes(row: Row, resolved: ResolvedRow) -> Iterator[str]:
    """What the signature leaves out."""
    for slot in row.slots:
        said = _said(slot)
        if said:
            yield _filled(f"- `:{slot.name}`: {said}", "  ")
    if resolved.effects:
        yield f"- Effects: {', '.join(f'`:{effect}`' for effect in sorted(resolved.effects))}"


def _said(slot: SlotDeclaration) -> str:
    parts = ["lazy."] if slot.lazy else []
    if slot.has_default:
        parts.append(f"{write(slot.default)} by default.")
    parts.append(slot.description)
    return " ".join(filter(None, parts))


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _shown(example: Example) -> str:
    """The row that an example asserts something of, and the claim."""
    actual, expected = (
        _at(example.form, "args", "actual"),
        _at(example.form, "args", "expected"),
    )
    failing = _failing(actual)
    if failing is not None:
        return _claimed(_row(example, failing), f"; fails: {expected.value}")
    value = expected.get("value") or expected
    return _claimed(_row(example, actual), f"; => {write(value.value)}")


def _failing(actual: Form) -> Form | None:
    """What a row tries, whose error's code is the result."""
    arguments = actual.get("args")
    handler = None if arguments is None else arguments.get("on-throw")
    if handler is None or handler.value != Keyword("_code"):
        return None
    return _at(actual, "args", "body")


def _row(example: Example, inline: Form) -> str:
    arguments = inline.get("args")
    head = f"{{:name :{example.name} :parent {_at(inline, 'parent').value}"
    if arguments is None:
        return f"{head}}}"
    row = f"{head} :args {_slice(example.source, arguments)}}}"
    return format_text(row).rstrip()


def _claimed(row: str, claim: str) -> str:
    last = row.rpartition("\n")[2]
    return f"{row}{'  ' if len(last) + len(claim) + 2 <= WIDTH else chr(10)}{claim}"


def _needed(source: str, helpers: Mapping[str, str]) -> dict[str, str]:
    """The helpers that a row names, and those that these name; the one for errors left out."""
    found: dict[str, str] = {}
    waiting = [source]
    while waiting:
        for name in re.findall(r":(_[\w?-]+)", waiting.pop()):
            if name in helpers and name not in found and name != "_code":
                found[name] = helpers[name]
                waiting.append(helpers[name])
    return {name: text for name, text in helpers.items() if name in found}


def _name(form: Form) -> str:
    name = _at(form, "name").value
    assert isinstance(name, Keyword)
    return name.text


def _at(form: Form, *keys: str) -> Form:
    """The form at the end of a path through maps."""
    for key in keys:
        inner = form.get(key)
        assert inner is not None, f"{form.span}: :{key} is missing"
        form = inner
    return form


def _slice(text: str, form: Form) -> str:
    """The source of a form."""
    span, lines = form.span, text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    inner = lines[span.line : span.end_line - 1]
    first = lines[span.line - 1][span.column - 1 :]
    return "\n".join([first, *inner, lines[span.end_line - 1][: span.end_column - 1]])


def main(path: Path = PAGE) -> None:
    """Write the page."""
    path.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
