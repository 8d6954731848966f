"""QUEUES 8.2: the numbered files of a package, read and refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphden.errors import UsageError
from graphden.run import Functions, Package
from graphden.store.migration_files import migrations_of


@pytest.fixture
def package(tmp_path: Path) -> Callable[..., Package]:
    def make(*names: str) -> Package:
        for name in names:
            (tmp_path / name).write_text("SELECT 1;\n")
        return Package("shop", rows=tmp_path, functions=Functions(), migrations=tmp_path)

    return make


def test_files_become_steps_in_the_order_of_their_numbers(package) -> None:
    found = migrations_of(package("0002_more.sql", "0001_first.sql", "0002_more.down.sql"))
    assert [(step.number, step.name) for step in found] == [(1, "first"), (2, "more")]
    assert [step.down and step.down.name for step in found] == [None, "0002_more.down.sql"]


def test_a_post_migration_is_named_so(package) -> None:
    found = migrations_of(
        package("0001_first.sql", "0002_drop.post.sql", "0002_drop.down.sql", "0003_more.sql")
    )
    assert [(step.number, step.name, step.is_post) for step in found] == [
        (1, "first", False),
        (2, "drop", True),
        (3, "more", False),
    ]
    assert found[1].down is not None


def test_a_package_without_a_folder_has_none(tmp_path: Path) -> None:
    assert migrations_of(Package("shop", rows=tmp_path, functions=Functions())) == ()


def test_other_files_in_the_folder_do_not_matter(package) -> None:
    assert len(migrations_of(package("0001_first.sql", "README.md"))) == 1


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (["1_first.sql"], "1_first.sql is not named like 0001_name.sql"),
        (["0001_First.sql"], "0001_First.sql is not named like 0001_name.sql"),
        (["0001_a.sql", "0001_b.sql"], "0001_b.sql has a number that is already used"),
        (["0002_a.sql"], "number 0001 is missing"),
        (["0001_a.sql", "0001_a.post.sql"], "0001_a.sql has a number that is already used"),
        (["0001_a.sql", "0003_b.sql"], "number 0002 is missing"),
        (["0001_a.sql", "0001_b.down.sql"], "0001_b.down.sql has no 0001_b.sql"),
    ],
)
def test_disorder_is_refused(package, names: list[str], fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        migrations_of(package(*names))
    assert caught.value.code == "migration-files"
    assert fault in caught.value.message


def test_the_checksum_is_the_same_with_other_ends_of_lines(package, tmp_path: Path) -> None:
    (before,) = migrations_of(package("0001_first.sql"))
    (tmp_path / "0001_first.sql").write_bytes(b"SELECT 1;\r\n")
    (after,) = migrations_of(package())
    assert after.checksum == before.checksum
