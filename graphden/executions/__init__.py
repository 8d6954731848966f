"""Executions: what ran, with what, what came of it, and what it caused.

A run is recorded when it is asked for, and whenever the row has the effect `db`; handlings of
messages and acts of operators are recorded by the backend, through functions of the store.
"""

from graphden.executions.model import (
    Execution,
    Failure,
    Fate,
    Kind,
    Message,
    Status,
    Step,
    Story,
)
from graphden.executions.operating import Executions
from graphden.executions.recorder import Recorder
from graphden.executions.recording import RecordedRun

__all__ = [
    "Execution",
    "Executions",
    "Failure",
    "Fate",
    "Kind",
    "Message",
    "RecordedRun",
    "Recorder",
    "Status",
    "Step",
    "Story",
]
