"""The one table that every module of the standard library enters its bodies into."""

from __future__ import annotations

from graphden.run.registry import Functions

functions = Functions()
