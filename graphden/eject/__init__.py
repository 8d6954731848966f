"""A row as a Python module: the proof that nothing is hidden, and the way out.

The module is the code that runs the row, with names that people read. What it needs of graphden
are the bodies of base functions and `graphden.ejected`; a comment names each row where its code
begins. The same rows give the same text, byte for byte.
"""

from graphden.eject.module import eject

__all__ = ["eject"]
