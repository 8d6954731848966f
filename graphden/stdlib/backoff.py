"""How long to wait before the next try: longer each time, up to a limit, and scattered."""

from __future__ import annotations

import random

from graphden.stdlib.arguments import finite, wrong


def exponential(
    attempts: int, first_ms: float, most_ms: float, factor: object, jitter: object
) -> float:
    """Milliseconds until the try after `attempts` tries: `first_ms` times `factor` for each
    further one, at most `most_ms`, less a random share of up to `jitter`.

    Raises RunError `invalid-argument` for a factor below 1 or a jitter outside 0 to 1.
    """
    growth, share = finite(factor), finite(jitter)
    if growth is None or growth < 1:
        raise wrong("exponential-backoff", "factor", factor, "1 or more")
    if share is None or not 0 <= share <= 1:
        raise wrong("exponential-backoff", "jitter", jitter, "0 to 1")
    try:
        delay = min(most_ms, first_ms * growth ** max(0, attempts - 1))
    except OverflowError:
        delay = most_ms if first_ms else 0.0
    return delay * (1 - share * random.random())
