"""A run: what base functions are, what surrounds them while they run, how their failures point
at rows. This is what authors of base functions and of backends import.
"""

import sys

from graphden.run.calling import actor, call_in_trace, last_call, publisher
from graphden.run.context import Context, Resources, Scope, Waiter
from graphden.run.failures import as_run_error
from graphden.run.registry import (
    Body,
    Expression,
    Fold,
    Functions,
    Package,
    Pair,
    TypeRows,
    installed_packages,
    parameter_name,
)

__all__ = [
    "Body",
    "Context",
    "Expression",
    "Fold",
    "Functions",
    "Package",
    "Pair",
    "Resources",
    "Scope",
    "TypeRows",
    "Waiter",
    "actor",
    "as_run_error",
    "call_in_trace",
    "installed_packages",
    "last_call",
    "parameter_name",
    "publisher",
]

# `fix` promises 1,000 nested calls whatever a row puts between them. Generated code and base
# functions call each other as plain Python functions, which use no C stack.
RECURSION_LIMIT = 40_000
if sys.getrecursionlimit() < RECURSION_LIMIT:
    sys.setrecursionlimit(RECURSION_LIMIT)
