"""Every graph here has the package `probe`."""

from collections.abc import Iterator

import pytest

from tests.oracle import probe


@pytest.fixture(scope="module", autouse=True)
def _probe_package() -> Iterator[None]:
    with probe.installed():
        yield
