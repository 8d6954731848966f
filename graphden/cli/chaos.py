"""`graphden chaos`: faults done to workers, and a ledger of what came of every message."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from graphden.chaos import Chaos, Ledger
from graphden.cli.opening import open_app
from graphden.cli.output import Style, print_json
from graphden.cli.parsing import add_database, add_json
from graphden.store import scratch

EXAMPLE = """\
  graphden chaos --minutes 2
  graphden chaos --minutes 30 --rate 600 --seed 7

Everything happens in a database of its own, which is dropped in the end."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--minutes", metavar="N", type=_positive, default=1.0, help="how long; by default 1"
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, help="the same faults in the same order"
    )
    parser.add_argument(
        "--rate",
        metavar="N",
        type=_positive,
        default=400.0,
        help="messages a second; by default 400",
    )
    parser.add_argument(
        "--workers", metavar="N", type=int, default=3, help="worker processes; by default 3"
    )
    parser.add_argument(
        "--keep-log", metavar="FILE", type=Path, help="keep the log of all events there"
    )
    add_json(parser)
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the ledger; 1 when a message was lost, or repeated without a reason."""
    seed = random.SystemRandom().getrandbits(32) if arguments.seed is None else arguments.seed
    style = Style(sys.stderr)

    def say(text: str) -> None:
        if sys.stderr.isatty():
            print(style("dim", f"… {text}"), file=sys.stderr, flush=True)

    began = time.monotonic()
    with (
        open_app(arguments) as app,
        scratch(app.database().url) as database,
        tempfile.TemporaryDirectory() as folder,
    ):
        chaos = Chaos(
            database,
            Path(folder),
            seed=seed,
            workers=arguments.workers,
            rate=arguments.rate,
            say=say,
        )
        try:
            ledger = chaos.run(60 * arguments.minutes)
        finally:
            if arguments.keep_log is not None:
                arguments.keep_log.write_bytes((Path(folder) / "chaos.log").read_bytes())
    if arguments.json:
        print_json({"seed": seed, "seconds": time.monotonic() - began, **_record(ledger)})
    else:
        _print(ledger, seed)
    return 0 if ledger.sound else 1


def _record(ledger: Ledger) -> dict[str, Any]:
    return {
        "published": ledger.published,
        "unknown": ledger.unknown,
        "handled": ledger.handled,
        "failures": ledger.failures,
        "duplicates": ledger.duplicates,
        "unexplained": list(ledger.unexplained),
        "lost": list(ledger.lost),
        "strange": list(ledger.strange),
        "faults": ledger.faults,
    }


def _print(ledger: Ledger, seed: int) -> None:
    faults = ", ".join(f"{count} {what}" for what, count in ledger.faults.items())
    print(f"faults      {faults or 'none'} (seed {seed})")
    print(f"published   {ledger.published}, and {ledger.unknown} that may be stored or not")
    print(f"handled     {ledger.handled}, after {ledger.failures} failures that were meant")
    reasons = ", ".join(f"{count} {what}" for what, count in ledger.duplicates.items())
    print(f"duplicates  {sum(ledger.duplicates.values())}{f' ({reasons})' if reasons else ''}")
    if ledger.unexplained:
        print(f"unexplained {len(ledger.unexplained)}: {_some(ledger.unexplained)}")
    if ledger.strange:
        print(f"never sent  {len(ledger.strange)}: {_some(ledger.strange)}")
    print(f"lost        {len(ledger.lost)}{f': {_some(ledger.lost)}' if ledger.lost else ''}")


def _some(numbers: tuple[int, ...]) -> str:
    more = "" if len(numbers) <= 10 else " …"
    return " ".join(map(str, numbers[:10])) + more


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number
