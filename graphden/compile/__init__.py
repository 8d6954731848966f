"""From a resolved graph to Python: `plan` decides what is computed, `write` writes it down, and
`link` joins what is written with the Python that it calls.
"""

from graphden.compile.emit import Compiled, FunctionBody, Source, emit, source, write
from graphden.compile.expand import plan
from graphden.compile.linking import Written, link

__all__ = [
    "Compiled",
    "FunctionBody",
    "Source",
    "Written",
    "emit",
    "link",
    "plan",
    "source",
    "write",
]
