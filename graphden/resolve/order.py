"""An order of rows in which what a row needs comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def in_order(rows: Iterable[str], needs: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """`rows` and all they need, each after what it needs itself.

    Of the rows of a circle only the one reached first is given, after all the others need from
    outside: who follows it from there walks the circle in the order of the text.
    """
    done: set[str] = set()
    for start in rows:
        if start in done:
            continue
        path = [start]
        index = {start: 0}
        pending = [iter(needs(start))]
        within: set[str] = set()
        while path:
            row = path[-1]
            needed = next(pending[-1], None)
            if needed is None:
                path.pop()
                pending.pop()
                del index[row]
                done.add(row)
                if row not in within:
                    yield row
            elif needed in index:
                within.update(path[index[needed] + 1 :])
            elif needed not in done:
                index[needed] = len(path)
                path.append(needed)
                pending.append(iter(needs(needed)))
