"""What an edit reaches: the rows that must be resolved and checked again (LANGUAGE 8.8).

All that a row is resolved and checked by, it finds by names: so the names that each row has
looked up, and what they meant, say who depends on whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graphden.errors import Problem
from graphden.model.resolved import Program
from graphden.model.rows import Row
from graphden.resolve.names import Names


@dataclass(frozen=True, slots=True)
class Resolution:
    """Rows, resolved.

    `problems` are kept by the row written at top level that has them, but for those `of_all`.
    So is `looked_up`: for every name that the row looked up, the rows that it might have meant.
    `incomplete` rows have a problem or need a row that has one; of `unresolved` ones nothing
    can be said. `fresh` ones were resolved just now, `gone` ones are of the resolution before
    and no longer as they were.
    """

    program: Program
    names: Names
    of_all: tuple[Problem, ...]
    problems: Mapping[str, tuple[Problem, ...]]
    looked_up: Mapping[str, dict[str, tuple[str, ...]]]
    incomplete: frozenset[str]
    unresolved: frozenset[str]
    fresh: frozenset[str]
    gone: frozenset[str]


def stale(before: Resolution, names: Names) -> set[str]:
    """The rows written at top level, of `before` or of `names`, that are no longer as they were
    resolved in `before`, or never were.
    """
    was, now = before.names.written, names.written
    changed = {row_id for row_id, row in now.items() if was.get(row_id) is not row}
    changed.update(was.keys() - now.keys())
    if not changed:
        return changed
    listed = {
        row_id
        for row_id in changed
        if row_id not in was or row_id not in now or was[row_id].kind is not now[row_id].kind
    }
    if listed:
        changed.update(_mean_otherwise(before, names, listed))
        # What is proposed for a name that is not known depends on all that are.
        changed.update(
            row_id
            for row_id, problems in before.problems.items()
            if any(problem.structural for problem in problems)
        )
    return dependants(changed, before.looked_up)


def _mean_otherwise(before: Resolution, names: Names, listed: set[str]) -> Iterator[str]:
    """The rows one of whose names means another row now that `listed` ones came or went."""
    simple = {row_id.rpartition("/")[2] for row_id in listed}
    for row_id, looked_up in before.looked_up.items():
        row = names.written.get(row_id)
        if row is not None and any(
            name.rpartition("/")[2] in simple and means(names, name, row) != meant
            for name, meant in looked_up.items()
        ):
            yield row_id


def means(names: Names, name: str, by: Row) -> tuple[str, ...]:
    """The rows that a name may mean."""
    return tuple(row.id for row in names.candidates(name, by))


def dependants(
    rows: Iterable[str], looked_up: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> set[str]:
    """`rows` and all that need them, written at top level."""
    needing: defaultdict[str, list[str]] = defaultdict(list)
    for row_id, names in looked_up.items():
        for meant in names.values():
            for needed in meant:
                needing[needed].append(row_id)
    found = set(rows)
    waiting = list(found)
    while waiting:
        for row_id in needing.get(waiting.pop(), ()):
            if row_id not in found:
                found.add(row_id)
                waiting.append(row_id)
    return found
