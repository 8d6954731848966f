"""Base functions that are `async def`: they run on one loop of their App or Graph, in a thread
of its own, and the run that calls one waits for it.

A cancel of the run cancels the coroutine; a polite stop does not. A coroutine that calls back
into rows, which call another one, blocks its loop meanwhile: that other one runs on a further
loop.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any

from graphden.errors import Cancelled
from graphden.run.context import Context, Resources

_CLEANUP_SECONDS = 1.0
"""How long a run that was cancelled waits for its coroutine to end."""


class Loop:
    """An event loop in a thread of its own. A resource: closed with its App or Graph."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._inner = Resources()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="graphden-loop", daemon=True
        )
        self._thread.start()

    def result(self, coroutine: Coroutine[Any, Any, object], context: Context) -> object:
        """What the coroutine returns or raises; `Cancelled` when the run is cancelled."""
        if threading.current_thread() is self._thread:
            return loop_of(self._inner).result(coroutine, context)
        news, ended = threading.Event(), threading.Event()

        async def tracked() -> object:
            try:
                return await coroutine
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(tracked(), self._loop)
        future.add_done_callback(lambda _: news.set())
        try:
            with context.told(news.set):
                while True:
                    news.clear()
                    context.check()
                    if future.done():
                        return future.result()
                    news.wait()
        except Cancelled:
            future.cancel()
            ended.wait(_CLEANUP_SECONDS)
            raise

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""
        self._inner.close()
        if self.process != os.getpid():
            return  # after a fork the thread is the parent's
        asyncio.run_coroutine_threadsafe(_cancel_others(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    """Cancel every task of the loop but this one, and give them time to end."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_CLEANUP_SECONDS)


def loop_of(resources: Resources) -> Loop:
    """The loop of an App or Graph; after a fork the child has one of its own."""
    key = f"core.loop.{os.getpid()}"
    found = resources.get(key, Loop)
    if not isinstance(found, Loop):
        raise TypeError(key)
    return found
