"""A lock on a file belongs to the process that took it, and to no child of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from graphden.store.locks import FileLock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.lock"


def is_free(path: Path) -> bool:
    lock = FileLock(path)
    try:
        return lock.try_own()
    finally:
        lock.release()


def test_two_share_but_nobody_owns_meanwhile(path: Path) -> None:
    first, second = FileLock(path), FileLock(path)
    first.share()
    second.share()
    assert not is_free(path)
    first.release()
    assert not is_free(path)
    second.release()
    assert is_free(path)


def test_an_owned_lock_is_owned_once(path: Path) -> None:
    lock = FileLock(path)
    assert lock.try_own()
    assert not is_free(path)
    lock.release()
    assert is_free(path)


def test_release_twice_does_not_close_a_descriptor_that_was_used_again(path: Path) -> None:
    lock = FileLock(path)
    lock.release()
    other = FileLock(path)  # the lowest free number: the one just closed
    other.share()
    lock.release()
    assert not is_free(path)
    other.release()


def test_a_forked_child_neither_holds_nor_breaks_the_lock_of_its_parent(path: Path) -> None:
    lock = FileLock(path)
    lock.share()
    told, tell = os.pipe()
    wait, end = os.pipe()
    child = os.fork()
    if child == 0:  # lives on until `end` is closed, with a copy of everything
        os.close(end)
        lock.release()
        os.write(tell, b"!")
        os.read(wait, 1)
        os._exit(0)
    os.close(wait)
    os.read(told, 1)
    held_by_parent = not is_free(path)
    lock.release()
    free_in_spite_of_child = is_free(path)
    os.close(end)
    os.waitpid(child, 0)
    os.close(told)
    os.close(tell)
    assert held_by_parent
    assert free_in_spite_of_child


def test_a_release_counts_whoever_still_has_a_copy_of_the_open_file(path: Path) -> None:
    lock = FileLock(path)
    lock.share()
    with subprocess.Popen(["sleep", "600"], pass_fds=[lock.descriptor]) as copy:
        lock.release()
        free_in_spite_of_copy = is_free(path)
        copy.kill()
    assert free_in_spite_of_copy


def test_a_lock_that_was_handed_over_is_held_until_its_new_holder_ends(path: Path) -> None:
    lock = FileLock(path)
    assert lock.try_own()
    with subprocess.Popen(["sleep", "600"], pass_fds=[lock.descriptor]) as holder:
        lock.hand_over()
        held = not is_free(path)
        holder.kill()
    assert held
    assert is_free(path)


def test_a_file_that_was_made_again_is_another_one(path: Path) -> None:
    lock = FileLock(path)
    assert lock.is_of(path)
    path.unlink()
    assert not lock.is_of(path)
    path.touch()
    assert not lock.is_of(path)
    lock.release()
