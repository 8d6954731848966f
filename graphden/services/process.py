"""A process that runs instances: compares what should run with what does, and acts."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from uuid import UUID, uuid4

from graphden.errors import GraphdenError
from graphden.services import board
from graphden.services.reconcile import Drain, Plan, Start, Wanted, reconcile
from graphden.services.running import Host, Running
from graphden.services.values import LIVE, Instance, Kind, Service
from graphden.store import SessionLostError, Watch

log = logging.getLogger("graphden.services")

BEAT_S = 2.0
"""How often a process says that it lives."""

PATIENCE_S = 15.0
"""After so long without a beat a process is declared gone."""

LOOK_S = 15.0
"""How often everything is compared, also when nothing was notified."""

EARLY_S = 5.0
"""An instance of a new revision that fails sooner has failed to start."""

Open = Callable[[Service, str, UUID], Host]
"""Opens the row of a service in a revision, for an instance of this id; raises GraphdenError
when it cannot be started.
"""


class ServiceProcess:
    """Runs its share of the services of the database at `url` until asked to stop."""

    def __init__(self, url: str, open_row: Open, *, grace_s: float, id_: UUID) -> None:
        self.id = id_
        self._watch = Watch(url, f"graphden serve {id_}", "listen_services")
        self._open = open_row
        self._grace_s = grace_s
        self._mine: dict[UUID, Running] = {}
        self._stopping = threading.Event()
        self._cancelling = threading.Event()

    def stop(self) -> None:
        """Drain everything and end; from any thread."""
        self._stopping.set()
        self._watch.wake()

    def cancel(self) -> None:
        """End everything now; from any thread."""
        self._cancelling.set()
        self.stop()

    def run(self) -> bool:
        """Run until stopped; False when other processes have declared this one gone."""
        try:
            return self._run()
        finally:
            for running in self._mine.values():
                running.cancel()
            for running in self._mine.values():
                running.wait(2.0)
            self._watch.close()

    def _run(self) -> bool:
        joined = False
        look_at = 0.0
        away = False
        while not (self._stopping.is_set() and not self._mine):
            try:
                if not joined:
                    self._watch.rows("add_service_process", self._introduction())
                    joined = True
                if not self._watch.rows("beat_service_process", {"id": self.id}):
                    return False
                if away:
                    log.info("the database is back")
                    away = False
                    self._hold_again()
                self._bury()
                self._settle_ended()
                if self._stopping.is_set():
                    self._drain_all()
                    self._watch.wait(0.5)
                    continue
                if time.monotonic() >= look_at:
                    plan = self._look()
                    look_at = time.monotonic() + min(LOOK_S, plan.again_s or LOOK_S)
                pause = min(BEAT_S, max(0.0, look_at - time.monotonic()))
                if self._watch.wait(pause):
                    look_at = 0.0
            except SessionLostError as lost:
                if not away:
                    log.warning("the database is away: %s", lost)
                    away = True
                if self._stopping.is_set():
                    if all(running.ended for running in self._mine.values()):
                        break
                    for running in self._mine.values():
                        self._ask_to_end(running)
                    time.sleep(0.1)
                else:
                    self._stopping.wait(0.5)
        self._leave()
        return True

    def _introduction(self) -> dict[str, object]:
        return {"id": self.id, "host": socket.gethostname(), "pid": os.getpid()}

    def _leave(self) -> None:
        try:
            self._watch.rows("leave_service_process", {"id": self.id})
            self._watch.rows("tell_service_changed")
        except SessionLostError:  # others see it by its beats
            log.warning("the database is away; others take over in %g s", PATIENCE_S)

    def _bury(self) -> None:
        """Declare processes gone whose time is over, and what they had running failed."""
        gone = self._watch.rows(
            "bury_service_processes", {"id": self.id, "patience_s": PATIENCE_S}
        )
        for id_, host, pid, _ended in gone:
            log.warning("process %s on %s (%s) was not heard of: replaced", pid, host, id_)
        if self._watch.rows("fail_lost_instances"):
            self._watch.rows("tell_service_changed")
        if gone:
            self._watch.rows("forget_service_processes")

    def _look(self) -> Plan:
        """Compare, and act; what is still to be done later."""
        services = board.services(self._watch.rows)
        instances = board.instances(self._watch.rows)
        wanted = [Wanted(each, self._target(each)) for each in services if each.enabled]
        plan = reconcile(wanted, instances, self.id)
        for action in plan.actions:
            match action:
                case Drain(instance):
                    self._drain(instance)
                case Start():
                    self._start(action)
        self._drop_unknown(instances)
        self._confirm(services)
        return plan

    def _confirm(self, services: tuple[Service, ...]) -> None:
        """A revision that has run for a while has started well."""
        young = {each.id: each for each in services if each.previous is not None}
        for running in self._mine.values():
            service = young.get(running.start.service.id)
            lasted = time.monotonic() - running.began >= EARLY_S
            if service is not None and service.revision == running.start.revision and lasted:
                values = {"id": service.id, "revision": bytes.fromhex(service.revision)}
                self._watch.rows("confirm_revision", values)

    def _target(self, service: Service) -> str | None:
        """The revision that a service should run: that of its branch, unless it is broken."""
        head = service.head
        if head is None or head in {service.revision, service.broken}:
            return service.revision
        error = self._try(service, head)
        if error is not None:
            self._refuse(service, head, error)
            return service.revision
        self._watch.rows("move_service", {"id": service.id, "revision": bytes.fromhex(head)})
        self._watch.rows("tell_service_changed")
        return head

    def _try(self, service: Service, revision: str) -> str | None:
        """Why a revision cannot be started, if it cannot: it is opened, and not run."""
        try:
            self._host(service, revision, uuid4()).close()
        except GraphdenError as error:
            return f"{error.code}: {error.message}"
        return None

    def _host(self, service: Service, revision: str, instance: UUID) -> Host:
        try:
            return self._open(service, revision, instance)
        except GraphdenError as error:
            if error.code.startswith("database-"):
                raise SessionLostError(error.message) from error
            raise

    def _refuse(self, service: Service, revision: str, error: str) -> None:
        log.error(":%s of revision %s cannot be started: %s", service.row, revision[:12], error)
        values = {"id": service.id, "revision": bytes.fromhex(revision), "error": error}
        if self._watch.rows("refuse_revision", values):
            self._watch.rows("tell_service_changed")

    def _start(self, start: Start) -> None:
        service = start.service
        slot = _slot_name(start)
        if slot is not None:
            [(is_mine,)] = self._watch.rows("take_service_slot", {"slot": slot})
            if not is_mine:
                return
            if self._is_taken(start):  # another one was faster, and has ended since
                self._watch.rows("leave_service_slot", {"slot": slot})
                return
        id_ = uuid4()
        try:
            host = self._host(service, start.revision, id_)
        except GraphdenError as error:
            self._refuse(service, start.revision, f"{error.code}: {error.message}")
            self._release(start)
            return
        values = {
            "id": id_,
            "service": service.id,
            "slot": start.slot,
            "process": self.id,
            "own_process": service.kind is Kind.PER_PROCESS,
            "revision": bytes.fromhex(start.revision),
            "generation": service.generation,
            "restarts": start.restarts,
        }
        try:
            added = self._watch.rows("add_service_instance", values)
        except SessionLostError:
            host.close()
            raise
        if not added:
            host.close()
            self._release(start)
            return
        log.info(":%s begins, revision %s", service.row, start.revision[:12])
        self._mine[id_] = Running(id_, start, host, self._watch.wake)
        self._watch.rows("tell_service_changed")

    def _is_taken(self, start: Start) -> bool:
        """Whether the slot, now locked, has changed since it was looked at."""
        services = {each.id: each for each in board.services(self._watch.rows)}
        now = services.get(start.service.id)
        if now is None or not now.enabled:
            return True
        again = reconcile(
            [Wanted(now, start.revision)], board.instances(self._watch.rows), self.id
        )
        return not any(
            isinstance(each, Start) and each.slot == start.slot for each in again.actions
        )

    def _release(self, start: Start) -> None:
        slot = _slot_name(start)
        if slot is not None:
            self._watch.rows("leave_service_slot", {"slot": slot})

    def _hold_again(self) -> None:
        """After the session was lost, and its locks: take them anew, or give way."""
        for running in self._mine.values():
            slot = _slot_name(running.start)
            if slot is None:
                continue
            [(is_mine,)] = self._watch.rows("take_service_slot", {"slot": slot})
            if not is_mine:
                log.warning(":%s has run on elsewhere", running.start.service.row)
                running.cancel()

    def _drain(self, instance: UUID) -> None:
        running = self._mine.get(instance)
        self._watch.rows("drain_service_instance", {"id": instance})
        if running is not None:
            self._ask_to_end(running)

    def _drain_all(self) -> None:
        for running in list(self._mine.values()):
            self._drain(running.id)
            self._ask_to_end(running)

    def _ask_to_end(self, running: Running) -> None:
        """Let an instance finish what it has, as long as the grace lasts."""
        if self._cancelling.is_set():
            running.cancel()
        elif not running.drains:
            log.info(":%s is asked to end", running.start.service.row)
            running.drain()
            timer = threading.Timer(self._grace_s, running.cancel)
            timer.daemon = True
            timer.start()

    def _settle_ended(self) -> None:
        """Write down what has ended, and free its slot."""
        for running in [each for each in self._mine.values() if each.ended]:
            state = "failed" if running.failed else "ended"
            values = {"id": running.id, "state": state, "error": running.error}
            self._watch.rows("end_service_instance", values)
            self._release(running.start)
            del self._mine[running.id]
            word = f"has failed: {running.error}" if running.failed else "has ended"
            log.info(":%s %s", running.start.service.row, word)
            self._watch.rows("tell_service_changed")
            if running.failed and not running.drains:
                self._failed_early(running)

    def _failed_early(self, running: Running) -> None:
        """A new revision that fails at once gives way to the one before."""
        start = running.start
        if start.restarts or time.monotonic() - running.began > EARLY_S:
            return
        services = {each.id: each for each in board.services(self._watch.rows)}
        now = services.get(start.service.id)
        if now is not None and now.revision == start.revision and now.previous is not None:
            self._refuse(now, start.revision, running.error or "it failed at once")

    def _drop_unknown(self, instances: tuple[Instance, ...]) -> None:
        """End what this process runs and the database knows not, or knows as ended."""
        known = {each.id for each in instances if each.state in LIVE and not each.lost}
        known |= {each.id for each in instances if each.process != self.id}
        listed = {each.id for each in instances}
        for id_, running in self._mine.items():
            if id_ in listed and id_ not in known and not running.drains:
                running.cancel()


def _slot_name(start: Start) -> str | None:
    """What the slot's lock is called; an instance for each process needs none."""
    if start.service.kind is Kind.PER_PROCESS:
        return None
    return f"{start.service.id} {start.slot}"
