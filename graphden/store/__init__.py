"""The store: a PostgreSQL database, given by a URL or embedded in the project, and its schema.

Everything Graphden keeps lies in the schema `graphden` there, which numbered migrations of the
installed packages build. psycopg is imported when a database is first opened, not before.
"""

from graphden.store.branches import Branch, Branches, Pushed, who
from graphden.store.connecting import Connection
from graphden.store.database import Database, open_database
from graphden.store.doctor import Symptom, examine
from graphden.store.embedded import EmbeddedServer
from graphden.store.migrations import (
    Applied,
    MigrationState,
    State,
    migrate,
    revert,
    status,
)
from graphden.store.revisions import Revision
from graphden.store.schema import own_tables
from graphden.store.scratch import Scratch, scratch
from graphden.store.session import Session
from graphden.store.watch import SessionLostError, Watch

__all__ = [
    "Applied",
    "Branch",
    "Branches",
    "Connection",
    "Database",
    "EmbeddedServer",
    "MigrationState",
    "Pushed",
    "Revision",
    "Scratch",
    "Session",
    "SessionLostError",
    "State",
    "Symptom",
    "Watch",
    "examine",
    "migrate",
    "open_database",
    "own_tables",
    "revert",
    "scratch",
    "status",
    "who",
]
