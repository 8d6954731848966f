"""Random programs, compiled in every variant and by the oracle: whether all come to the same.

    python -m tests.benchmark.variants [COUNT] [FIRST SEED]

Prints JSON: how many programs, rows and runs there were, what effects and errors they had, and
each difference with the rows that show it; after Ctrl-C, for what it has done. Ends with 1 when
there is a difference.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress

from tests.oracle import probe
from tests.oracle.variants import Tally, compare_seed


def measured(count: int, first: int) -> Tally:
    tally = Tally()
    with probe.installed(), suppress(KeyboardInterrupt):
        for seed in range(first, first + count):
            compare_seed(seed, tally)
            if tally.programs % 1000 == 0:
                print(f"{tally.programs} of {count} programs", file=sys.stderr)
    return tally


def main(words: list[str]) -> int:
    count = int(words[0]) if words else 1000
    first = int(words[1]) if len(words) > 1 else 0
    began = time.monotonic()
    tally = measured(count, first)
    print(
        json.dumps(
            {
                "programs": tally.programs,
                "rows": tally.rows,
                "runs": tally.runs,
                "effects": tally.effects,
                "spans": tally.spans,
                "errors": dict(tally.errors),
                "differences": tally.differences,
                "seconds": round(time.monotonic() - began, 1),
            },
            indent=2,
        )
    )
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
