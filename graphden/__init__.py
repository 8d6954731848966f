"""Graphden composes programs from rows of EDN and runs them at the speed of Python."""
