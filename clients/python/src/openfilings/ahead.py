"""Walks a list, and requests the next page while the caller uses a page."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from queue import SimpleQueue

from .errors import ApiError
from .plan import Reply
from .session import AsyncSession, Session
from .walk import Walk


def replies(session: Session, walk: Walk) -> Generator[Reply, None, None]:
    """Yields the replies of a walk.

    The second page is requested when the caller comes to it, since many loops end in the first page. From then on, the
    next page is requested while the caller uses a page. If the caller closes the generator, the answer to this request
    is dropped.
    """
    reply = _requested(session, walk)
    yield reply
    walk.go_on(reply.headers.get("link"))
    if walk.url is None:
        return
    ahead = _Ahead(session, walk)
    try:
        while (following := ahead.next()) is not None:
            yield following
    finally:
        ahead.end()


async def later_replies(session: AsyncSession, walk: Walk) -> AsyncGenerator[Reply, None]:
    """As ``replies``, for programs with an event loop. If the caller closes the generator, the request is aborted."""
    reply = await _later_requested(session, walk)
    yield reply
    following = await _later_following(session, walk, reply)
    while following is not None:
        coming = asyncio.create_task(_later_following(session, walk, following))
        try:
            yield following
            following = await coming
        finally:
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)


def _requested(session: Session, walk: Walk, is_wanted: Callable[[], bool] = lambda: True) -> Reply:
    """Requests a page of the walk, again in the default size if its size is refused."""
    while True:
        try:
            return session.answer(_url(walk), is_wanted)
        except ApiError as error:
            walk.shrink(error)


async def _later_requested(session: AsyncSession, walk: Walk) -> Reply:
    while True:
        try:
            return await session.answer(_url(walk))
        except ApiError as error:
            walk.shrink(error)


async def _later_following(session: AsyncSession, walk: Walk, reply: Reply) -> Reply | None:
    """Requests the page after this reply; ``None`` after the last page."""
    walk.go_on(reply.headers.get("link"))
    return None if walk.url is None else await _later_requested(session, walk)


def _url(walk: Walk) -> str:
    assert walk.url is not None
    return walk.url


class _Ahead:
    """A thread that requests the pages of a walk, at most one more than the caller asked for.

    httpx blocks its caller until the answer is there. So the caller can do other work only if another thread waits.
    The thread sends the next request as soon as an answer is there. If the caller had to permit each request, the
    thread would wait for the caller, which may hold the lock of the interpreter for 5 ms.
    """

    def __init__(self, session: Session, walk: Walk) -> None:
        self._session = session
        self._walk = walk
        self._permits: SimpleQueue[None] = SimpleQueue()
        self._found: SimpleQueue[Reply | BaseException | None] = SimpleQueue()
        self._is_ended = False
        self._permits.put(None)
        # The interpreter does not wait for a thread of this kind when it ends.
        threading.Thread(target=self._work, name="openfilings-ahead", daemon=True).start()

    def next(self) -> Reply | None:
        """Returns the reply of the next page; ``None`` after the last page. Raises what the request raised."""
        self._permits.put(None)
        found = self._found.get()
        if isinstance(found, BaseException):
            raise found
        return found

    def end(self) -> None:
        """Lets the thread end after the request that it waits for, which it does not repeat."""
        self._is_ended = True
        self._permits.put(None)

    def _work(self) -> None:
        try:
            while self._walk.url is not None:
                self._permits.get()
                if self._is_ended:
                    return
                reply = _requested(self._session, self._walk, lambda: not self._is_ended)
                self._found.put(reply)
                self._walk.go_on(reply.headers.get("link"))
            self._found.put(None)
        except BaseException as error:
            self._found.put(error)
