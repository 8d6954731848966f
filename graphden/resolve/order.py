"""An order of rows in which what a row needs comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def in_order(rows: Iterable[str], needs: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """`rows` and all they need, each after what it needs itself.

    The rows of circles that share some come together, sorted, so that the order of `rows` does
    not say which of them comes first. (Tarjan's algorithm, with a stack of its own: chains of
    rows may be long.)
    """
    found: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_rows: list[str] = []
    is_open: set[str] = set()
    for start in rows:
        if start in found:
            continue
        path = [(start, iter(needs(start)))]
        found[start] = lowest[start] = len(found)
        open_rows.append(start)
        is_open.add(start)
        while path:
            row, pending = path[-1]
            needed = next(pending, None)
            if needed is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[row])
                if lowest[row] == found[row]:
                    together = [open_rows.pop()]
                    while together[-1] != row:
                        together.append(open_rows.pop())
                    is_open.difference_update(together)
                    yield from sorted(together)
            elif needed not in found:
                found[needed] = lowest[needed] = len(found)
                open_rows.append(needed)
                is_open.add(needed)
                path.append((needed, iter(needs(needed))))
            elif needed in is_open:
                lowest[row] = min(lowest[row], found[needed])
