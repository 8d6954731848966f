"""Bytes in a folder: found again by their key, or as good as never written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphden.cache import TOUCH_S, Cache, digest

KEY, OTHER = digest(["one"]), digest(["other"])


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def file_of(cache: Cache) -> Path:
    """The one file of bytes in the folder."""
    [file] = [path for path in cache.folder.iterdir() if path.name != ".gitignore"]
    return file


def test_what_was_put_is_found_by_its_key_and_by_no_other(cache):
    assert cache.get(KEY) is None
    cache.put(KEY, b"bytes")
    assert cache.get(KEY) == b"bytes"
    assert Cache(cache.folder).get(KEY) == b"bytes"
    assert cache.get(OTHER) is None


def test_what_was_put_last_counts(cache):
    cache.put(KEY, b"first")
    cache.put(KEY, b"second")
    assert cache.get(KEY) == b"second"


def test_only_this_user_may_look_and_git_does_not(cache):
    cache.put(KEY, b"bytes")
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file_of(cache).stat().st_mode) == 0o600
    assert (cache.folder / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: whole[:-1],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: b"",
        lambda whole: whole + b"\0",
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
        lambda whole: bytes([whole[0] ^ 1]) + whole[1:],
        lambda whole: b"something else altogether",
    ],
    ids=["one byte short", "half", "empty", "longer", "last bit", "first bit", "foreign"],
)
def test_a_file_that_is_not_whole_is_not_there_and_is_written_anew(cache, spoil):
    cache.put(KEY, b"bytes")
    file = file_of(cache)
    file.write_bytes(spoil(file.read_bytes()))
    assert cache.get(KEY) is None
    cache.put(KEY, b"bytes")
    assert cache.get(KEY) == b"bytes"


def test_a_whole_file_under_the_name_of_another_is_not_there(cache):
    cache.put(KEY, b"bytes")
    file = file_of(cache)
    file.rename(file.with_name(OTHER.hex()))
    assert cache.get(OTHER) is None


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_may_write_is_not_there(cache, mode):
    cache.put(KEY, b"bytes")
    file_of(cache).chmod(mode)
    assert cache.get(KEY) is None


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_in_a_folder_that_others_may_write_nothing_is_read_or_written(cache, mode):
    cache.put(KEY, b"bytes")
    cache.folder.chmod(mode)
    cache.put(OTHER, b"bytes")
    assert (cache.get(KEY), cache.get(OTHER)) == (None, None)
    cache.folder.chmod(0o700)
    assert (cache.get(KEY), cache.get(OTHER)) == (b"bytes", None)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("what", ["file", "folder", "project"])
def test_what_belongs_to_somebody_else_is_not_trusted(cache, what):
    if what == "project":
        os.chown(cache.folder.parent, 12345, -1)
        cache.put(KEY, b"bytes")
        assert not cache.folder.exists()
        return
    cache.put(KEY, b"bytes")
    os.chown(file_of(cache) if what == "file" else cache.folder, 12345, -1)
    assert cache.get(KEY) is None


@pytest.mark.parametrize("place", ["folder", "file"])
def test_links_are_not_followed(cache, tmp_path, place):
    cache.put(KEY, b"bytes")
    moved = cache.folder if place == "folder" else file_of(cache)
    moved.rename(tmp_path / "elsewhere")
    moved.symlink_to(tmp_path / "elsewhere")
    assert cache.get(KEY) is None


def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(cache):
    cache.put(KEY, b"bytes")
    file = file_of(cache)
    file.unlink()
    os.mkfifo(file, 0o600)
    assert cache.get(KEY) is None


@pytest.mark.parametrize("place", ["no folder above", "a file in its place", "a full disk"])
def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(
    tmp_path, monkeypatch, place
):
    folder = tmp_path / "cache"
    match place:
        case "no folder above":
            folder = tmp_path / "none" / "cache"
        case "a file in its place":
            folder.write_text("")
        case "a full disk":

            def full(*_: object) -> int:
                raise OSError(28, "No space left on device")

            monkeypatch.setattr(Path, "replace", full)
    cache = Cache(folder)
    cache.put(KEY, b"bytes")
    assert cache.get(KEY) is None
    if folder.is_dir():
        assert {path.name for path in folder.iterdir()} <= {".gitignore"}


def test_what_was_used_least_recently_goes_when_there_is_too_much(tmp_path):
    cache = Cache(tmp_path / "cache", limit=100_000)
    keys = [digest([str(number)]) for number in range(40)]
    for age, key in enumerate(reversed(keys)):
        cache.put(key, bytes(2_000))
        file = cache.folder / key.hex()
        if file.exists():
            then = file.stat().st_mtime - 2 * TOUCH_S - age
            os.utime(file, (then, then))
    assert cache.get(keys[39]) is not None  # written first, and used now
    for number in range(40, 60):
        cache.put(digest([str(number)]), bytes(2_000))
    held = sum(path.stat().st_size for path in cache.folder.iterdir())
    assert held <= 100_000 * 17 // 16
    assert cache.get(keys[39]) is not None
    assert cache.get(digest(["59"])) is not None
    assert cache.get(keys[0]) is None


WRITER = """
import sys
from pathlib import Path
from graphden.cache import Cache, digest
cache = Cache(Path(sys.argv[1]))
key = digest(["one"])
sys.stdin.readline()
for number in range(200):
    size = 1 + (number * 7919 + int(sys.argv[2])) % 50_000
    cache.put(key, bytes([int(sys.argv[2])]) * size)
    found = cache.get(key)
    assert found is not None and len(set(found)) == 1, found
"""


def test_processes_that_write_one_key_at_once_read_whole_bytes_of_one_of_them(cache):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(cache.folder), str(number)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    assert [(writer.communicate()[1], writer.returncode) for writer in writers] == [("", 0)] * 4
    assert cache.get(KEY) is not None
    assert {path.name for path in cache.folder.iterdir()} == {".gitignore", KEY.hex()}


@given(st.lists(st.text()), st.lists(st.text()))
def test_other_parts_have_another_digest(parts, others):
    assert (digest(parts) == digest(others)) == (parts == others)


LOADED = """
import os, sys
from pathlib import Path
import graphden.cache as cache
from graphden import Graph
from graphden.run.tracing import Trace
read = []
found = cache.os.open
cache.os.open = lambda path, *flags: read.append(str(path)) or found(path, *flags)
cache.engine_digest.__wrapped__()
graph = Graph.parse("{:name :r :parent :add :args {:nums [{:as :n :type :int} 1]}}")
graph.run("r", {"n": 1}, trace=Trace())
used = [m.__file__ for name, m in sys.modules.items()
        if name.split(".")[0] in ("graphden", "edn_format") and getattr(m, "__file__", None)]
print(*sorted(set(used) - set(read)), sep="\\n", end="")
"""


def test_the_engine_is_known_by_every_module_that_it_uses():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True, timeout=50
    )
    assert done.stdout == ""
