"""What is imported when: a short command does not wait for what it does not use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = frozenset(
    {
        "asyncio",
        "concurrent.futures",
        "http",
        "multiprocessing",
        "networkx",
        "numpy",
        "psycopg",
        "pydantic",
        "pydantic_core",
        "ssl",
        "unittest",
        "xml",
    }
)
"""What only a database, a check of a value, an export or a test needs."""

LIBRARIES = HEAVY | {
    "argparse",
    "dataclasses",
    "decimal",
    "edn_format",
    "email",
    "importlib.metadata",
    "inspect",
    "json",
    "logging",
    "ply",
    "re2",
    "subprocess",
    "typing",
    "uuid",
}
"""What the engine needs, and who only asks for the version does not."""

PROGRAM = """
import sys
before = set(sys.modules)
{}
print("\\nloaded", *sorted(set(sys.modules) - before))
"""


def loaded(statements: str, folder: Path) -> frozenset[str]:
    """The modules that `statements` import, in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(statements)],
        cwd=folder,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    return frozenset(done.stdout.rpartition("\nloaded")[2].split())


def command(*words: str) -> str:
    return f"from graphden.cli import main\nassert main({list(words)!r}) == 0"


@pytest.mark.parametrize("statements", ["import graphden", command("--version"), command("-h")])
def test_the_version_and_the_bare_package_need_no_library(statements, tmp_path):
    modules = loaded(statements, tmp_path)
    assert "graphden" in modules
    assert not modules & LIBRARIES
    assert {name for name in modules if name.startswith("graphden")} <= {
        "graphden",
        "graphden.cli",
    }


def test_the_errors_do_not_need_the_engine(tmp_path):
    modules = loaded("from graphden import GraphError, RunError", tmp_path)
    assert "graphden.errors" in modules
    assert not modules & {"graphden.engine", "edn_format", "email", "importlib.metadata"}


@pytest.mark.parametrize("verb", ["run", "check", "show"])
def test_pure_rows_need_neither_database_nor_validators(verb, tmp_path):
    (tmp_path / "six.edn").write_text("{:name :six :parent :mul :args {:nums [2 3]}}")
    words = [verb, "six.edn"] if verb == "check" else [verb, "six", "six.edn"]
    modules = loaded(command(*words), tmp_path)
    assert "graphden.engine" in modules or verb == "check"
    assert not modules & HEAVY
    assert not {name for name in modules if name.startswith("graphden.store")}


def test_an_app_without_a_database_needs_no_store(tmp_path):
    statements = (
        "import graphden\n"
        'graph = graphden.Graph.parse("{:name :six :parent :mul :args {:nums [2 3]}}")\n'
        "with graphden.App([graph]) as app:\n"
        '    assert app.run("six") == 6'
    )
    modules = loaded(statements, tmp_path)
    assert not modules & HEAVY
    assert not {name for name in modules if name.startswith("graphden.store")}
