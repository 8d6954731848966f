"""Where the product's own files lie."""

import pytest

from graphden import assets
from graphden.errors import UsageError


@pytest.fixture
def installation(tmp_path, monkeypatch):
    """An installation whose package folder is `tmp_path/site/graphden`."""
    package = tmp_path / "site" / "graphden"
    package.mkdir(parents=True)
    monkeypatch.setattr(assets, "__file__", str(package / "assets.py"))
    return package


def test_this_installation_has_the_rows_of_the_standard_library():
    assert (assets.folder("stdlib_graphs") / "arithmetic.edn").is_file()


def test_a_checkout_has_its_files_beside_the_package(installation):
    beside = installation.parent / "lessons"
    beside.mkdir()

    assert assets.folder("lessons") == beside


def test_a_wheel_carries_them_inside(installation):
    (installation.parent / "lessons").mkdir()
    inside = installation / "_assets" / "lessons"
    inside.mkdir(parents=True)

    assert assets.folder("lessons") == inside


def test_files_that_are_missing(installation):
    with pytest.raises(UsageError, match="no folder lessons") as raised:
        assets.folder("lessons")

    assert raised.value.code == "asset-missing"
