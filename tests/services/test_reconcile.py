"""What should run against what does: the pure function, and a model of many processes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from graphden.services import (
    Drain,
    Instance,
    Kind,
    Restart,
    Service,
    Start,
    State,
    Wanted,
    reconcile,
)

NOW = datetime(2030, 1, 1, tzinfo=UTC)
HERE, THERE = uuid4(), uuid4()
ONE, TWO = "1" * 64, "2" * 64


def service(**changes: Any) -> Service:
    made: dict[str, Any] = {
        "id": uuid4(),
        "row": "worker",
        "branch": "main",
        "kind": Kind.SINGLETON,
        "slots": 1,
        "restart": Restart.ALWAYS,
        "enabled": True,
        "generation": 1,
        "revision": ONE,
        "previous": None,
        "broken": None,
        "broken_error": None,
        "created_by": "me",
        "created_at": NOW,
        "head": ONE,
    }
    return Service(**made | changes)


def instance(of: Service, **changes: Any) -> Instance:
    made: dict[str, Any] = {
        "id": uuid4(),
        "service": of.id,
        "slot": 0,
        "process": HERE,
        "revision": ONE,
        "generation": of.generation,
        "state": State.RUNNING,
        "restarts": 0,
        "last_error": None,
        "started_at": NOW,
        "ended_at": None,
        "ended_s": None,
        "host": "here",
        "pid": 1,
        "heartbeat_at": NOW,
        "lost": False,
    }
    made |= changes
    if made["state"] in {State.ENDED, State.FAILED} and made["ended_s"] is None:
        made["ended_s"] = 0.0
    if made["ended_s"] is not None and made["ended_at"] is None:
        made["ended_at"] = made["started_at"] + timedelta(seconds=1)
    return Instance(**made)


def test_a_free_slot_is_filled() -> None:
    one = service()
    assert reconcile([Wanted(one, ONE)], [], HERE).actions == (Start(one, 0, ONE, 0),)


def test_what_runs_as_it_should_is_left_alone() -> None:
    one = service()
    for state in (State.RUNNING, State.DRAINING):
        for process in (HERE, THERE):
            running = instance(one, state=state, process=process)
            assert reconcile([Wanted(one, ONE)], [running], HERE).actions == ()


def test_what_should_not_run_is_drained_by_its_own_process() -> None:
    mine, theirs = instance(service()), instance(service(), process=THERE)
    assert reconcile([], [mine, theirs], HERE).actions == (Drain(mine.id),)


@pytest.mark.parametrize(
    "changes", [{"revision": TWO}, {"generation": 0}, {"slot": 1}], ids=str
)
def test_what_runs_otherwise_than_it_should_is_drained_first(changes: dict[str, Any]) -> None:
    one = service()
    running = instance(one, **changes)
    drained = Drain(running.id)
    started = [Start(one, 0, ONE, 0)] if "slot" in changes else []
    assert reconcile([Wanted(one, ONE)], [running], HERE).actions == (drained, *started)


def test_without_a_known_revision_nothing_begins_and_nothing_ends() -> None:
    one = service(head=None)
    running = instance(one)
    assert reconcile([Wanted(one, None)], [running], HERE).actions == ()
    assert reconcile([Wanted(one, None)], [], HERE).actions == ()


def test_a_pool_fills_each_of_its_slots() -> None:
    pool = service(kind=Kind.POOL, slots=3)
    plan = reconcile([Wanted(pool, ONE)], [instance(pool, slot=1, process=THERE)], HERE)
    assert plan.actions == (Start(pool, 0, ONE, 0), Start(pool, 2, ONE, 0))


def test_one_for_each_process_minds_no_other() -> None:
    own = service(kind=Kind.PER_PROCESS)
    theirs = instance(own, process=THERE)
    assert reconcile([Wanted(own, ONE)], [theirs], HERE).actions == (Start(own, 0, ONE, 0),)
    assert reconcile([Wanted(own, ONE)], [theirs, instance(own)], HERE).actions == ()


@pytest.mark.parametrize(
    ("restart", "state", "begins"),
    [
        (Restart.ALWAYS, State.FAILED, True),
        (Restart.ALWAYS, State.ENDED, True),
        (Restart.ON_FAILURE, State.FAILED, True),
        (Restart.ON_FAILURE, State.ENDED, False),
        (Restart.NEVER, State.FAILED, False),
        (Restart.NEVER, State.ENDED, False),
    ],
)
def test_what_has_ended_begins_again_as_its_service_says(
    restart: Restart, state: State, begins: bool
) -> None:
    one = service(restart=restart)
    ended = instance(one, state=state, ended_s=100.0)
    wanted = (Start(one, 0, ONE, 1),) if begins else ()
    assert reconcile([Wanted(one, ONE)], [ended], HERE).actions == wanted


def test_a_new_generation_or_revision_begins_whatever_ended_before() -> None:
    for changes in ({"generation": 0}, {"revision": TWO}):
        one = service(restart=Restart.NEVER)
        ended = instance(one, state=State.ENDED, **changes)
        plan = reconcile([Wanted(one, ONE)], [ended], HERE)
        assert plan.actions == (Start(one, 0, ONE, 0),)


def test_pauses_double_up_to_a_minute_and_begin_anew_after_one() -> None:
    one = service()
    for restarts, pause in [(0, 1.0), (1, 2.0), (4, 16.0), (6, 60.0), (40, 60.0)]:
        ended = instance(one, state=State.FAILED, restarts=restarts, ended_s=0.25)
        plan = reconcile([Wanted(one, ONE)], [ended], HERE)
        assert (plan.actions, plan.again_s) == ((), pause - 0.25)
        ended = instance(one, state=State.FAILED, restarts=restarts, ended_s=pause)
        plan = reconcile([Wanted(one, ONE)], [ended], HERE)
        assert plan.actions == (Start(one, 0, ONE, restarts + 1),)
    lasted = instance(
        one,
        state=State.FAILED,
        restarts=9,
        ended_s=1.0,
        ended_at=NOW + timedelta(seconds=60),
    )
    assert reconcile([Wanted(one, ONE)], [lasted], HERE).actions == (Start(one, 0, ONE, 0),)


def test_what_died_with_its_process_begins_at_once_the_first_time() -> None:
    one = service()
    died = instance(one, process=THERE, lost=True)
    assert reconcile([Wanted(one, ONE)], [died], HERE).actions == (Start(one, 0, ONE, 1),)
    again = instance(one, process=THERE, lost=True, state=State.FAILED, restarts=1)
    assert reconcile([Wanted(one, ONE)], [again], HERE).again_s == 2.0


@given(st.permutations(range(4)))
def test_the_order_of_what_is_known_changes_nothing(order: list[int]) -> None:
    pool = service(kind=Kind.POOL, slots=4)
    known = [
        instance(pool, slot=0, state=State.FAILED, started_at=NOW, ended_s=9.0, restarts=2),
        instance(pool, slot=0, state=State.FAILED, started_at=NOW - timedelta(1), ended_s=99.0),
        instance(pool, slot=1, process=THERE),
        instance(pool, slot=2, process=THERE, lost=True, restarts=1),
    ]
    plans = [
        reconcile([Wanted(pool, ONE)], [known[n] for n in each], HERE)
        for each in (order, range(4))
    ]
    assert set(plans[0].actions) == set(plans[1].actions)


class Processes(RuleBasedStateMachine):
    """Some processes act on a shared table, one action at a time, in any order; slots are
    locked as PostgreSQL locks them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.services = [
            service(),
            service(kind=Kind.POOL, slots=2, restart=Restart.ON_FAILURE),
            service(kind=Kind.PER_PROCESS, restart=Restart.NEVER),
        ]
        self.heads = [ONE, ONE, ONE]
        self.enabled = [True, False, True]
        self.processes = [uuid4(), uuid4()]
        self.table: dict[UUID, Instance] = {}
        self.pending: list[tuple[UUID, Any]] = []

    def wanted(self) -> list[Wanted]:
        return [
            Wanted(each, head)
            for each, head, on in zip(self.services, self.heads, self.enabled, strict=True)
            if on
        ]

    def live(self) -> list[Instance]:
        return [
            each
            for each in self.table.values()
            if each.state in {State.RUNNING, State.DRAINING} and not each.lost
        ]

    @rule(number=st.integers(0, 2), change=st.sampled_from(["move", "toggle"]))
    def change(self, number: int, change: str) -> None:
        if change == "move":
            self.heads[number] = TWO if self.heads[number] == ONE else ONE
        else:
            self.enabled[number] = not self.enabled[number]
            if self.enabled[number]:
                self.services[number] = service_like(self.services[number])

    @rule(number=st.integers(0, 1))
    def look(self, number: int) -> None:
        process = self.processes[number]
        plan = reconcile(self.wanted(), list(self.table.values()), process)
        self.pending += [(process, action) for action in plan.actions]

    @precondition(lambda self: self.pending)
    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        process, action = self.pending.pop(data.draw(st.integers(0, len(self.pending) - 1)))
        if process not in self.processes:
            return
        match action:
            case Drain(id_) if id_ in self.table and self.table[id_] in self.live():
                self.table[id_] = changed(self.table[id_], state=State.DRAINING)
            case Start():
                self.start(process, action)

    def start(self, process: UUID, action: Start) -> None:
        """As a process does: take the lock, look again, and begin."""
        held = {(each.service, each.slot) for each in self.live()}
        own = action.service.kind is Kind.PER_PROCESS
        if not own and (action.service.id, action.slot) in held:
            return
        again = reconcile(self.wanted(), list(self.table.values()), process).actions
        if not any(
            isinstance(each, Start)
            and (each.service.id, each.slot) == (action.service.id, action.slot)
            for each in again
        ):
            return
        made = instance(
            action.service,
            slot=action.slot,
            process=process,
            revision=action.revision,
            restarts=action.restarts,
        )
        self.table[made.id] = made

    @precondition(lambda self: self.live())
    @rule(data=st.data(), state=st.sampled_from([State.ENDED, State.FAILED]))
    def end(self, data: st.DataObject, state: State) -> None:
        ending = data.draw(st.sampled_from(self.live()))
        self.table[ending.id] = changed(
            ending, state=state, ended_s=1_000.0, ended_at=NOW + timedelta(seconds=1)
        )

    @rule(number=st.integers(0, 1))
    def die(self, number: int) -> None:
        dead = self.processes[number]
        for each in list(self.table.values()):
            if each.process == dead:
                self.table[each.id] = changed(each, lost=True)
        self.processes[number] = uuid4()

    @rule()
    def bury(self) -> None:
        """What died with its process is written down as failed."""
        for each in list(self.table.values()):
            if each.lost and each.state in {State.RUNNING, State.DRAINING}:
                failed = changed(each, state=State.FAILED, ended_s=1_000.0, ended_at=NOW)
                self.table[each.id] = failed

    @invariant()
    def no_slot_is_held_twice(self) -> None:
        held = [
            (each.service, each.slot, each.process if own else None)
            for each in self.live()
            for own in [self.kind_of(each) is Kind.PER_PROCESS]
        ]
        assert len(held) == len(set(held))

    def finish(self, drained: Instance) -> None:
        self.table[drained.id] = changed(
            drained, state=State.ENDED, ended_s=1_000.0, ended_at=NOW
        )

    def kind_of(self, of: Instance) -> Kind:
        return next(each.kind for each in self.services if each.id == of.service)

    @rule()
    def settle(self) -> None:
        """When everybody acts and nothing else happens, what runs is what should run."""
        for _ in range(4):
            self.bury()
            for each in self.live():
                if each.state is State.DRAINING:
                    self.finish(each)
            for number in range(2):
                self.look(number)
                while self.pending:
                    process, action = self.pending.pop(0)
                    if process not in self.processes:
                        continue
                    if isinstance(action, Drain) and action.instance in self.table:
                        self.finish(self.table[action.instance])
                    elif isinstance(action, Start):
                        self.start(process, action)
        for want in self.wanted():
            running = [each for each in self.live() if each.service == want.service.id]
            assert all(each.revision == want.revision for each in running)
            if want.service.restart is Restart.ALWAYS:
                assert len(running) == 1
        wanted = {want.service.id for want in self.wanted()}
        assert all(each.service in wanted for each in self.live())


def changed(before: Instance, **changes: Any) -> Instance:
    from dataclasses import replace

    return replace(before, **changes)


def service_like(before: Service) -> Service:
    from dataclasses import replace

    return replace(before, generation=before.generation + 1)


TestProcesses = Processes.TestCase
TestProcesses.settings = settings(stateful_step_count=40, deadline=None)
