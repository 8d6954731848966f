"""QUEUES 7.4: queues in memory live in one process, in the resources of its App or Graph."""

from __future__ import annotations

import os
import warnings

import pytest

from graphden.errors import RunError
from graphden.run import Context, Resources
from graphden_memory import package


def call(verb, *arguments, context):
    return package.functions.get(f"memory-{verb}").function(*arguments, context=context)


def test_7_4_every_app_has_queues_of_its_own():
    one, other = Context(), Context()
    call("publish", "q", 1, 0, None, context=one)
    assert call("messages", "q", None, 10, context=other) == []


def test_7_4_runs_of_one_app_share_them():
    resources = Resources()
    call("publish", "q", 1, 0, None, context=Context(resources))
    assert len(call("take", "q", 1, 1_000, 0, context=Context(resources))) == 1


def test_7_4_a_payload_is_a_copy_as_if_it_had_been_stored():
    context = Context()
    payload = {"items": [1]}
    call("publish", "q", payload, 0, None, context=context)
    payload["items"].append(2)
    [message] = call("take", "q", 1, 1_000, 0, context=context)
    assert message["payload"] == {"items": [1]}


def test_5_6_a_forked_child_is_refused():
    context = Context()
    call("publish", "q", 1, 0, None, context=context)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            with pytest.raises(RunError, match="this is its child"):
                call("take", "q", 1, 1_000, 0, context=context)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(call("take", "q", 1, 1_000, 0, context=context)) == 1


def test_7_2_what_a_backend_can_do_is_declared():
    assert package.capabilities == {"leases", "delays", "dead-letters", "keys", "wake-up"}
