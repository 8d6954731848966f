"""The command line: one module a command, imported when it is used.

A command module has `EXAMPLE`, `configure(parser)` and `run(arguments)`, which gives the exit
code: 0 done, 1 the graph or the run failed, 2 wrong use. Errors are raised, not printed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130
"""What a shell shows for a process that Ctrl-C ended."""

CLOSED_PIPE = 141
"""What a shell shows for a process that wrote to a reader that had left."""


COMMANDS: dict[str, str] = {
    "check": "find what is wrong with rows, all of it at once",
    "run": "run a row and print its value",
    "profile": "run a row and tell which rows took how long; write a flame graph",
    "show": "show a row as a tree: parents, slots, who bound what, what is open",
    "explain": "say where a row's slots come from, step by step, or what a code means",
    "test": "run the rows that are tests, and show what fails",
    "types": "list type rows, or give the JSON Schema of one",
    "eject": "write a row as a Python module, which gives the same",
    "fmt": "put files of rows into their one layout, comments kept",
    "publish": "put a message into a queue",
    "work": "run a consumer until it is stopped",
    "queues": "list queues and messages; requeue or delete messages",
    "push": "store files of rows as a new revision of a branch",
    "set": "change one binding of a row on a branch",
    "log": "list the revisions of a branch",
    "checkout": "write a revision back as files",
    "branches": "list, create and delete branches",
    "executions": "list and show what ran and what it caused; cancel, rerun, prune",
    "services": "create, enable, disable, delete and list services",
    "serve": "keep the services running",
    "chaos": "do faults to workers in a scratch database, and see that nothing is lost",
    "doctor": "find what makes queues slow or stuck",
    "db": "migrate the database, or say how it stands",
    "lesson": "learn the language, one exercise after another",
    "demo": "see a worker fail, be repaired and finish, in half a minute",
    "help": "read a page of the reference; without a topic, list them",
}
"""The commands, each the name of its module, and a line for the overview."""

HELP = f"""\
usage: graphden COMMAND …

Compose programs from rows of EDN, and run them; hand work over through durable queues.

{chr(10).join(f"  {name:10} {summary}" for name, summary in COMMANDS.items())}

`graphden COMMAND --help` says more, with an example.

The database is the one at GRAPHDEN_DATABASE_URL (or --database-url), else PostgreSQL of its
own in the folder .graphden of the project. Exit codes: 0 done, 1 failed, 2 wrong use.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv`, by default the process's own arguments; the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        code = _dispatch(words)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who read the output has seen enough; Python must not complain when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except OSError as error:
        # A full disk under the output; what was printed before is all there is.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"error: the output cannot be written: {error.strerror}\n")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _dispatch(words: list[str]) -> int:
    match words:
        case [] | ["-h" | "--help"]:
            sys.stdout.write(HELP)
            return 0 if words else 2
        case ["-V" | "--version"]:
            from graphden import __version__

            sys.stdout.write(f"graphden {__version__}\n")
            return 0
        case [name, *rest]:
            return _run(name, rest)
    raise AssertionError(words)  # the cases above are all there are


def _run(name: str, words: list[str]) -> int:
    from graphden.cli.reporting import exit_code, report
    from graphden.errors import GraphdenError

    try:
        summary = COMMANDS.get(name)
        if summary is None:
            raise _unknown(name)
        from importlib import import_module

        from graphden.cli.parsing import Parser

        module = import_module(f"graphden.cli.{name}")
        parser = Parser(name, summary, module.EXAMPLE)
        module.configure(parser)
        arguments = parser.read(words)
        code: int = module.run(arguments)
    except GraphdenError as error:
        report(error, as_json="--json" in words)
        return exit_code(error)
    return code


def _unknown(name: str) -> Exception:
    from difflib import get_close_matches

    from graphden.errors import UsageError

    close = get_close_matches(name, COMMANDS, n=1)
    return UsageError(
        "unknown-command",
        f"there is no command {name}",
        hint=f"Did you mean graphden {close[0]}?" if close else "graphden --help lists them.",
    )
