"""`graphden doctor` on the command line."""

from __future__ import annotations

import psycopg
import pytest


@pytest.fixture(autouse=True)
def database(fresh_database, monkeypatch):
    url = fresh_database("embedded")
    monkeypatch.setenv("GRAPHDEN_DATABASE_URL", url)
    return url


def test_a_finding_is_told_with_what_to_do_and_gives_1(run, database):
    healthy = run("doctor")
    assert (healthy.code, healthy.out[:24]) == (0, "nothing is wrong with Po")
    with psycopg.connect(database) as connection:
        connection.execute("CREATE INDEX mine ON graphden.service (row)")
    told = run("doctor")
    assert told.code == 1
    assert told.out.startswith("index-foreign: the index mine of graphden.service ")
    assert "hint: Unless it is needed: DROP INDEX graphden.mine\n" in told.out
    asked = run("doctor", "--json")
    assert asked.code == 1
    assert [each["code"] for each in asked.json["findings"]] == ["index-foreign"]
