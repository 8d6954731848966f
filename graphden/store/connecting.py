"""A connection to a database, or an error that says why not, without its secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from graphden.errors import UsageError

if TYPE_CHECKING:
    import psycopg

Connection: TypeAlias = "psycopg.Connection[Any]"
"""A connection to a database by psycopg, such as a user brings."""

OLDEST_MAJOR = 14
CONNECT_TIMEOUT = 10  # seconds, where the URL does not say
SCHEMES = ("postgresql://", "postgres://")


def connect(url: str) -> psycopg.Connection[Any]:
    """A connection in autocommit mode to a server that Graphden supports.

    Raises UsageError: `database-url` when `url` is not one, `database-unreachable` when nobody
    answers or lets us in, `database-version` when the server is older than PostgreSQL 14. No
    error shows a password, and none carries one in its cause.
    """
    import psycopg
    from psycopg.conninfo import make_conninfo

    parts = _parts(url)
    defaults = {
        "connect_timeout": str(CONNECT_TIMEOUT),
        "fallback_application_name": "graphden",
    }
    try:
        connection = psycopg.connect(make_conninfo(**{**defaults, **parts}), autocommit=True)
    except psycopg.Error as error:
        reason = _without_secrets(str(error), parts)
        failure = UsageError(
            "database-unreachable",
            f"the database at {_address(parts)} cannot be reached: {reason}",
            hint="Check that the server runs there and that the user, the password and the "
            "database name are right.",
        )
    else:
        if connection.info.server_version >= OLDEST_MAJOR * 10_000:
            return connection
        version = server_version(connection)
        connection.close()
        failure = UsageError(
            "database-version",
            f"the server at {_address(parts)} is PostgreSQL {version}; "
            f"Graphden needs {OLDEST_MAJOR} or newer",
            hint="Upgrade that server, or unset GRAPHDEN_DATABASE_URL to use an embedded one.",
        )
    raise failure


def server_version(connection: psycopg.Connection[Any]) -> str:
    """The server's version as it names itself, such as `15.20`."""
    return (connection.info.parameter_status("server_version") or "?").split(" ")[0]


def _parts(url: str) -> dict[str, str]:
    """The parameters in `url`, a URL or a line of `name=value` words."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = {} if _is_ambiguous(url) else conninfo_to_dict(url)
    except psycopg.Error:  # its text repeats pieces of the URL
        parts = {}
    if not parts:
        raise UsageError(
            "database-url",
            "the database URL cannot be understood (it may hold a password: not shown)",
            hint="Write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with characters such as "
            "@ / ? # % in the password percent-encoded.",
        )
    return {name: str(value) for name, value in parts.items()}


def _is_ambiguous(url: str) -> bool:
    """Whether a password with a bare `@`, `/`, `?` or `#` would be cut and land in messages."""
    for scheme in SCHEMES:
        if url.startswith(scheme):
            before, at, after = url.removeprefix(scheme).partition("@")
            return "@" in after or (bool(at) and any(mark in before for mark in "/?#"))
    return False


def _address(parts: dict[str, str]) -> str:
    host = parts.get("host") or parts.get("hostaddr") or "the default host"
    port = f":{parts['port']}" if "port" in parts else ""
    database = f"/{parts['dbname']}" if "dbname" in parts else ""
    return f"{host}{port}{database}"


def _without_secrets(text: str, parts: dict[str, str]) -> str:
    for name in ("password", "sslpassword"):
        if parts.get(name):
            text = text.replace(parts[name], "***")
    return " ".join(text.split())
