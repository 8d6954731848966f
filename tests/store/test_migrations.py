"""QUEUES 8.2: one migrates while others wait, a newer schema is refused."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from graphden.errors import UsageError
from graphden.run import Functions, Package
from graphden.store import Applied, State, migrate, revert, status
from graphden.store.migration_table import LOCK

pytestmark = pytest.mark.postgres

FIRST = "CREATE TABLE item (id int);\nCREATE INDEX ON item (id);\n"
SECOND = "ALTER TABLE item ADD COLUMN price int;\n"


@pytest.fixture
def shop(tmp_path: Path) -> Callable[..., Package]:
    """A package `shop` with the given texts as migrations 1, 2, …; the folder is its own."""

    def make(*texts: str, down: str | None = None, post: tuple[int, ...] = ()) -> Package:
        folder = tmp_path / f"migrations-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        for number, text in enumerate(texts, start=1):
            kind = ".post" if number in post else ""
            (folder / f"{number:04}_step{kind}.sql").write_text(text)
            if down is not None:
                (folder / f"{number:04}_step.down.sql").write_text(down)
        return Package("shop", rows=folder, functions=Functions(), migrations=folder)

    return make


def ask(url: str, question: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute(question)]


def columns_of_item(url: str) -> list[str]:
    return ask(
        url,
        "SELECT column_name::text FROM information_schema.columns "
        "WHERE table_schema = 'graphden' AND table_name = 'item' ORDER BY ordinal_position",
    )


def test_what_is_pending_is_applied_in_order_in_the_schema(database_url: str, shop) -> None:
    assert migrate(database_url, [shop(FIRST, SECOND)]) == [
        Applied("shop", 1, "step"),
        Applied("shop", 2, "step"),
    ]
    assert columns_of_item(database_url) == ["id", "price"]


def test_what_is_applied_is_not_applied_again(database_url: str, shop) -> None:
    migrate(database_url, [shop(FIRST)])
    assert migrate(database_url, [shop(FIRST, SECOND)]) == [Applied("shop", 2, "step")]
    assert migrate(database_url, [shop(FIRST, SECOND)]) == []


def test_with_nothing_pending_it_costs_one_query(database_url: str, shop) -> None:
    package = shop(FIRST, SECOND)
    migrate(database_url, [package])
    asked = []

    class Counting(psycopg.Cursor[Any]):
        def execute(self, query: Any, *args: Any, **kwargs: Any) -> Any:
            asked.append(query)
            return super().execute(query, *args, **kwargs)

    with psycopg.connect(database_url, autocommit=True, cursor_factory=Counting) as connection:
        assert migrate(connection, [package]) == []
    assert len(asked) == 1


@pytest.mark.parametrize("autocommit", [True, False])
def test_a_given_connection_is_left_open_and_idle(
    database_url: str, shop, autocommit: bool
) -> None:
    with psycopg.connect(database_url, autocommit=autocommit) as connection:
        migrate(connection, [shop(FIRST)])
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert columns_of_item(database_url) == ["id"]


def test_the_search_path_of_a_given_connection_is_as_before(database_url: str, shop) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        before = connection.execute("SHOW search_path").fetchone()
        migrate(connection, [shop(FIRST)])
        assert connection.execute("SHOW search_path").fetchone() == before


def test_the_settings_of_a_user_do_not_cut_a_migration(database_url: str, shop) -> None:
    url = psycopg.conninfo.make_conninfo(
        database_url,
        options="-c statement_timeout=50 -c default_transaction_isolation=serializable",
    )
    assert migrate(url, [shop("SELECT pg_sleep(0.1);")]) == [Applied("shop", 1, "step")]


def test_a_failing_migration_leaves_nothing_and_those_before_it_stay(
    database_url: str, shop
) -> None:
    package = shop(FIRST, "CREATE TABLE other (id int);\nALTER TABLE nowhere ADD x int;\n")
    with pytest.raises(UsageError) as caught:
        migrate(database_url, [package])
    assert caught.value.code == "migration-failed"
    assert "shop 0002 step" in caught.value.message
    assert '"nowhere" does not exist' in caught.value.message
    assert ask(database_url, "SELECT number FROM graphden.migration") == [1]
    assert ask(database_url, "SELECT to_regclass('graphden.other')") == [None]


def test_a_failure_names_the_line_of_the_file(database_url: str, shop) -> None:
    package = shop("SELECT 'é';\nSELECT 1,\n  no_such_column;\n")
    with pytest.raises(UsageError) as caught:
        migrate(database_url, [package])
    assert str(caught.value.span) == f"{package.migrations / '0001_step.sql'}:3:3"


def test_a_migration_that_commits_is_refused(database_url: str, shop) -> None:
    with pytest.raises(UsageError, match="ends the transaction"):
        migrate(database_url, [shop("COMMIT;")])


def test_a_newer_schema_is_refused(database_url: str, shop) -> None:
    migrate(database_url, [shop(FIRST, SECOND)])
    with pytest.raises(UsageError) as caught:
        migrate(database_url, [shop(FIRST)])
    assert caught.value.code == "schema-newer"
    assert caught.value.message == (
        "the database has migration 0002 step of shop, but the installed shop knows only 0001"
    )


def test_a_newer_schema_of_a_package_that_is_not_asked_for_does_not_matter(
    database_url: str, shop
) -> None:
    migrate(database_url, [shop(FIRST)])
    assert migrate(database_url, []) == []


def test_a_package_that_lost_its_migrations_is_older_than_its_schema(
    database_url: str, shop
) -> None:
    migrate(database_url, [shop(FIRST)])
    with pytest.raises(UsageError) as caught:
        migrate(database_url, [shop()])
    assert caught.value.code == "schema-newer"


def test_a_changed_file_is_refused(database_url: str, shop) -> None:
    migrate(database_url, [shop(FIRST)])
    with pytest.raises(UsageError) as caught:
        migrate(database_url, [shop(FIRST + "-- better\n", SECOND)])
    assert caught.value.code == "migration-changed"
    assert columns_of_item(database_url) == ["id"]


def test_status_tells_each_state(database_url: str, shop) -> None:
    package = shop(FIRST, SECOND)
    assert [step.state for step in status(database_url, [package])] == [State.PENDING] * 2
    migrate(database_url, [package])
    states = status(database_url, [shop("-- changed")])
    assert [(step.number, step.state) for step in states] == [
        (1, State.CHANGED),
        (2, State.UNKNOWN),
    ]
    (first, *_) = status(database_url, [shop(FIRST, SECOND, "SELECT 1")])
    assert first.state is State.APPLIED
    assert [first.applied_at] == ask(
        database_url, "SELECT applied_at FROM graphden.migration WHERE number = 1"
    )


def test_the_way_back_takes_the_newest_first(database_url: str, shop) -> None:
    package = shop(FIRST, SECOND, down="DROP TABLE IF EXISTS item;")
    migrate(database_url, [package])
    assert revert(database_url, package, 0) == [
        Applied("shop", 2, "step"),
        Applied("shop", 1, "step"),
    ]
    assert ask(database_url, "SELECT to_regclass('graphden.item')") == [None]
    assert len(migrate(database_url, [package])) == 2


def test_without_a_way_back_nothing_is_taken_back(database_url: str, shop) -> None:
    package = shop(FIRST)
    migrate(database_url, [package])
    with pytest.raises(UsageError) as caught:
        revert(database_url, package, 0)
    assert caught.value.code == "migration-one-way"
    assert migrate(database_url, [package]) == []


WAITING = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
"""
MIGRATOR = """
import sys
from pathlib import Path
from graphden.run import Functions, Package
from graphden.store import migrate
url, folder = sys.argv[1:]
package = Package("shop", Path(folder), Functions(), migrations=Path(folder))
print(len(migrate(url, [package])))
"""


def test_of_several_processes_one_migrates_and_the_others_wait(database_url: str, shop) -> None:
    package = shop(FIRST, SECOND)
    strict = "-c default_transaction_isolation=serializable"  # must not read an old snapshot
    url = psycopg.conninfo.make_conninfo(database_url, options=strict)
    command = [sys.executable, "-c", MIGRATOR, url, str(package.migrations)]
    with psycopg.connect(database_url, autocommit=True) as watcher:
        with psycopg.connect(database_url) as blocker:
            blocker.execute(LOCK)
            processes = [
                subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)
            ]
            while watcher.execute(WAITING).fetchone() != (2,):
                pass
        counts = [int(process.communicate()[0]) for process in processes]
    assert sum(counts) == 2
    assert ask(database_url, "SELECT number FROM graphden.migration ORDER BY 1") == [1, 2]


def test_a_user_who_may_not_create_gets_advice(database_url: str, shop) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        role = f"guest_of_{connection.info.dbname}"
        connection.execute(
            psycopg.sql.SQL("CREATE ROLE {}").format(psycopg.sql.Identifier(role))
        )
        try:
            connection.execute(
                psycopg.sql.SQL("SET ROLE {}").format(psycopg.sql.Identifier(role))
            )
            with pytest.raises(UsageError) as caught:
                migrate(connection, [shop(FIRST)])
        finally:
            connection.execute("RESET ROLE")
            connection.execute(
                psycopg.sql.SQL("DROP ROLE {}").format(psycopg.sql.Identifier(role))
            )
    assert caught.value.code == "migration-failed"
    assert "permission denied" in caught.value.message


def test_a_post_migration_waits_until_it_is_asked_for(database_url: str, shop) -> None:
    migrate(database_url, [shop(FIRST)])
    package = shop(FIRST, SECOND, "ALTER TABLE item DROP COLUMN id;", post=(3,))
    assert migrate(database_url, [package]) == [Applied("shop", 2, "step")]
    assert migrate(database_url, [package]) == []
    assert [step.state for step in status(database_url, [package])][2] is State.WAITING
    assert migrate(database_url, [package], post=True) == [Applied("shop", 3, "step")]
    assert columns_of_item(database_url) == ["price"]
    assert migrate(database_url, [package]) == []


def test_a_new_database_has_no_older_processes_to_wait_for(database_url: str, shop) -> None:
    package = shop(FIRST, SECOND, "ALTER TABLE item DROP COLUMN id;", post=(3,))
    assert len(migrate(database_url, [package])) == 3
    assert columns_of_item(database_url) == ["price"]


def test_the_next_release_applies_what_waited_before_its_own(database_url: str, shop) -> None:
    drop = "ALTER TABLE item DROP COLUMN id;"
    migrate(database_url, [shop(FIRST)])
    migrate(database_url, [shop(FIRST, drop, post=(2,))])
    following = shop(FIRST, drop, SECOND, "DROP TABLE item;", post=(2, 4))
    assert [step.number for step in migrate(database_url, [following])] == [2, 3]
    assert columns_of_item(database_url) == ["price"]


def test_a_migration_that_waits_for_a_table_holds_nobody_up_for_long(
    database_url: str, shop
) -> None:
    """A lock that is waited for makes everybody wait who comes later."""
    migrate(database_url, [shop(FIRST)])
    said: list[str] = []
    released = threading.Event()

    def listen(message: str) -> None:
        said.append(message)
        if message.startswith("waiting"):
            # The step has given up for now: others can use the table.
            assert ask(database_url, "SELECT count(*) FROM graphden.item") == [0]
            reader.rollback()
            released.set()

    with psycopg.connect(database_url) as reader:
        reader.execute("SELECT FROM graphden.item")
        assert len(migrate(database_url, [shop(FIRST, SECOND)], listen)) == 1
    assert released.is_set()
    assert said[1] == "waiting for a transaction that uses what shop 0002 step changes"
    assert columns_of_item(database_url) == ["id", "price"]
