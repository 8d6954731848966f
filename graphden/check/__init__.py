"""Types: how they relate, what values they take, and what a graph says of them that is wrong."""

from graphden.check.callables import check_handings
from graphden.check.contracts import Contracts, Violation
from graphden.check.relate import Relation, narrower, relate

__all__ = ["Contracts", "Relation", "Violation", "check_handings", "narrower", "relate"]
