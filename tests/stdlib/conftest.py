"""How these tests reach the bodies: by the name of the row, as the compiler does."""

from collections.abc import Callable

import pytest

from graphden.run import Context
from graphden.stdlib import package


@pytest.fixture(scope="session")
def call() -> Callable[..., object]:
    """Call a body by its row's name with all its slots, in declared order."""

    def call_body(name: str, *slots: object, **context: Context) -> object:
        body = package.functions.get(name)
        assert body is not None, name
        return body.function(*slots, **context)

    return call_body


@pytest.fixture
def context():
    context = Context()
    yield context
    context.close()
    context.resources.close()
