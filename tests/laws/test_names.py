"""Names of rows, and of the namespace they are in, mean nothing (LANGUAGE 1)."""

from __future__ import annotations

from random import Random

from hypothesis import given

from graphden.edn import Keyword, write
from tests.laws.drawing import Row, mapped, name_of, parsed, programs, randoms, seen, text_of

ENTRIES = 3
"""So many rows at the end keep their names."""


def renamed(rows: list[Row], names: dict[str, str]) -> list[Row]:
    def change(keyword: Keyword) -> Keyword:
        return Keyword(names[keyword]) if keyword in names else keyword

    made = mapped(rows, change)
    assert isinstance(made, list)
    return made


@given(programs, randoms)
def test_renaming_every_private_row_changes_nothing(rows: list[Row], random: Random) -> None:
    inner = [name_of(row) for row in rows[:-ENTRIES]]
    numbers = random.sample(range(1000), len(inner))
    plain = parsed(text_of(rows))
    private = parsed(text_of(renamed(rows, {name: f"_{name}" for name in inner})))
    other = parsed(
        text_of(
            renamed(rows, {name: f"_{n}-x" for name, n in zip(inner, numbers, strict=True)})
        )
    )
    codes = [[problem.code for problem in graph.diagnostics] for graph in (private, other)]
    assert codes[0] == codes[1] == [problem.code for problem in plain.diagnostics]
    for row in rows[-ENTRIES:]:
        name, seed = name_of(row), random.randrange(2**32)
        found = seen(plain, name, seed)
        assert seen(private, name, seed) == found
        assert seen(other, name, seed) == found


@given(programs, randoms)
def test_a_namespace_by_any_name_is_the_same(rows: list[Row], random: Random) -> None:
    """Plain names and full ones mean the same, wherever the rows live."""
    names = {name_of(row) for row in rows}
    here = parsed(text_of(rows))
    there = parsed("{:namespace :a.far-away}\n" + text_of(rows))
    # Each row in one of three namespaces, and every reference in full.
    homes = {name: random.choice(["a", "b.c", "user"]) for name in sorted(names)}

    def full(keyword: Keyword) -> Keyword:
        return Keyword(f"{homes[keyword]}/{keyword.text}") if keyword in names else keyword

    spread = "\n".join(
        write(
            {
                Keyword("name"): row["name"],
                Keyword("namespace"): Keyword(homes[name_of(row)]),
                **{k: mapped(v, full) for k, v in row.items() if k != "name"},
            }
        )
        for row in rows
    )
    scattered = parsed(spread)
    for row in rows[-ENTRIES:]:
        name, seed = name_of(row), random.randrange(2**32)
        found = seen(here, name, seed)
        assert seen(there, f"a.far-away/{name}", seed) == found
        assert seen(scattered, f"{homes[name]}/{name}", seed) == found
