"""What every queue backend of this house refuses, keeps and answers alike.

A backend decides where messages live; this package holds the rest of the contract: limits of
numbers and names, payloads as text, error texts made storable, and the shape of a message.
"""

from graphden_contract.failures import CUT_MARK, Failure, Outcome, failure_of, used_up
from graphden_contract.limits import (
    BATCH,
    DELAY_MS,
    KEEP_DEAD_MS,
    KEY_LIFETIME_MS,
    MAX_ATTEMPTS,
    MAX_PAYLOAD_BYTES,
    MESSAGE_LIMIT,
    VISIBILITY_MS,
    WAIT_MS,
    key_name,
    key_names,
    message_ids,
    message_state,
    of_item,
    purge_state,
    queue_name,
    shown,
)
from graphden_contract.listings import DELETED, REQUEUED, Listed, QueueCounts, change, purged
from graphden_contract.messages import Held, claimed_message, held_by
from graphden_contract.payloads import (
    Payload,
    key_conflict,
    payload_of,
    payload_read,
    payloads_of,
)
from graphden_contract.retries import Retries
from graphden_contract.settlements import ACCEPTED, DEAD, DONE, HELD, LOST, RETRY

__all__ = [
    "ACCEPTED",
    "BATCH",
    "CUT_MARK",
    "DEAD",
    "DELAY_MS",
    "DELETED",
    "DONE",
    "HELD",
    "KEEP_DEAD_MS",
    "KEY_LIFETIME_MS",
    "LOST",
    "MAX_ATTEMPTS",
    "MAX_PAYLOAD_BYTES",
    "MESSAGE_LIMIT",
    "REQUEUED",
    "RETRY",
    "VISIBILITY_MS",
    "WAIT_MS",
    "Failure",
    "Held",
    "Listed",
    "Outcome",
    "Payload",
    "QueueCounts",
    "Retries",
    "change",
    "claimed_message",
    "failure_of",
    "held_by",
    "key_conflict",
    "key_name",
    "key_names",
    "message_ids",
    "message_state",
    "of_item",
    "payload_of",
    "payload_read",
    "payloads_of",
    "purge_state",
    "purged",
    "queue_name",
    "shown",
    "used_up",
]
