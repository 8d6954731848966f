"""From a resolved graph to Python: `plan` decides what is computed, `emit` writes it down."""

from graphden.compile.emit import Compiled, FunctionBody, emit
from graphden.compile.expand import plan

__all__ = ["Compiled", "FunctionBody", "emit", "plan"]
