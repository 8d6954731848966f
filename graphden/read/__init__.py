"""From EDN forms to rows: what each row says, its shape checked, all problems gathered."""

from graphden.read.rows import Source, read_rows

__all__ = ["Source", "read_rows"]
