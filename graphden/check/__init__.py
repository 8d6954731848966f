"""Types: how they relate, what values they take, and what is wrong with those of a graph."""

from graphden.check.contracts import Contracts, Violation
from graphden.check.diagnose import diagnose
from graphden.check.fit import fit, holds_secret, narrower
from graphden.check.infer import Found, Inference
from graphden.check.quick import quick_test
from graphden.check.schema import json_schema
from graphden.check.solve import variables, without_variables
from graphden.check.typed import Typed, Unproved
from graphden.check.values import join, type_of
from graphden.check.verdicts import Fit, Verdict

__all__ = [
    "Contracts",
    "Fit",
    "Found",
    "Inference",
    "Typed",
    "Unproved",
    "Verdict",
    "Violation",
    "diagnose",
    "fit",
    "holds_secret",
    "join",
    "json_schema",
    "narrower",
    "quick_test",
    "type_of",
    "variables",
    "without_variables",
]
