"""The time of a trace in forms that viewers of flame graphs open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphden.compile.spans import Site, label
from graphden.run.tracing import Trace

SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def speedscope(trace: Trace, name: str) -> dict[str, Any]:
    """A file of https://www.speedscope.app, as JSON: one sampled profile, in nanoseconds; a
    sample is a stack of rows, its weight the own time of the last.
    """
    frames: dict[str, int] = {}
    shared: list[dict[str, Any]] = []
    samples: list[list[int]] = []
    weights: list[int] = []
    for sites, own_ns in trace.stacks():
        for site in sites:
            if site.key not in frames:
                frames[site.key] = len(shared)
                shared.append(_frame(site))
        samples.append([frames[site.key] for site in sites])
        weights.append(own_ns)
    profile = {
        "type": "sampled",
        "name": name,
        "unit": "nanoseconds",
        "startValue": 0,
        "endValue": sum(weights),
        "samples": samples,
        "weights": weights,
    }
    return {
        "$schema": SCHEMA,
        "name": name,
        "exporter": "graphden",
        "activeProfileIndex": 0,
        "shared": {"frames": shared},
        "profiles": [profile],
    }


def folded(trace: Trace) -> Iterator[str]:
    """Lines of folded stacks, as flamegraph.pl and its kin read them: rows from the outermost,
    then the nanoseconds of the last.
    """
    for sites, own_ns in trace.stacks():
        yield f"{';'.join(map(_folded, sites))} {own_ns}"


def _frame(site: Site) -> dict[str, Any]:
    name = label(site.row, site.function, inline=site.inline)
    if site.place is None:
        return {"name": name}
    place = site.place
    return {"name": name, "file": place.file, "line": place.line, "col": place.column}


def _folded(site: Site) -> str:
    name = label(site.row, site.function, inline=site.inline)
    place = "" if site.place is None else f" ({site.place.file}:{site.place.line})"
    return "".join(" " if mark in ";\r\n" else mark for mark in name + place)
