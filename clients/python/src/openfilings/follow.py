"""Follows the log of events across broken connections and restarts of the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, cast

from .errors import ApiError, InvalidAnswer, NoConnection, RateLimited, ServerError
from .generated.models import Event
from .plan import Request
from .session import AsyncSession, Session
from .sse import Message, Parser
from .values import Value, query_of

STREAM = "text/event-stream"
#: Seconds before the next connection: the minimum, the default if the server states none, and the maximum.
_WAIT_MIN, _WAIT, _WAIT_MAX = 1.0, 3.0, 60.0
#: Failures after which a stream is opened again.
PASSING = (NoConnection, ServerError, RateLimited)


class _Position:
    """Where a stream is, and how long it has failed."""

    def __init__(
        self, session: Session | AsyncSession, filters: Mapping[str, Value], after: int | None, give_up_after: float
    ) -> None:
        self._session = session
        self._filters = filters
        self._give_up_after = give_up_after
        self._retry: float | None = None
        self._failures = 0
        self._alive_at = session.clock()
        self.last = after

    def request(self) -> Request:
        after = {} if self.last is None else {"Last-Event-ID": str(self.last)}
        url = self._session.url("/events", query_of(self._filters))
        return Request(url, {"Accept": STREAM, **after}, stream=True, endless=True)

    def parser(self, content_type: str | None) -> Parser:
        kind = (content_type or "").partition(";")[0].strip().lower()
        if kind != STREAM:
            raise InvalidAnswer(f"/events sent {kind or 'no content type'}, not {STREAM}")
        return Parser(self._session.settings.limits.event)

    def alive(self, parser: Parser) -> None:
        """Notes that the server sends."""
        self._alive_at = self._session.clock()
        self._failures = 0
        self._retry = parser.retry if parser.retry is not None else self._retry

    def taken(self, message: Message) -> Event | None:
        """Moves to a message. Returns its event, if it has one that was not seen before."""
        if message.id is not None:
            if not (message.id.isascii() and message.id.isdigit() and len(message.id) <= 15):
                raise InvalidAnswer(f"an event of the stream has the id {message.id[:40]!r}")
            number = int(message.id)
            if self.last is not None and number <= self.last:
                return None
            self.last = number
        if message.data is None:
            return None
        try:
            found = json.loads(message.data)
        except (ValueError, RecursionError) as error:
            raise InvalidAnswer(f"an event of the stream is not valid JSON: {error}") from error
        if not isinstance(found, dict):
            raise InvalidAnswer("an event of the stream is not an object")
        return cast(Event, found)

    def wait(self, error: Exception | None) -> float:
        """Returns the seconds until the next connection. Raises the failure if it has lasted too long."""
        if error is not None and self._session.clock() - self._alive_at > self._give_up_after:
            raise error
        stated = error.retry_after if isinstance(error, ApiError) else None
        longer = (self._retry or _WAIT) * 2.0 ** min(self._failures, 5)
        self._failures += 1
        wait = min(max(stated or 0.0, longer, _WAIT_MIN), _WAIT_MAX)
        # Jitter, so that the clients of a restarted server do not all come back at the same moment.
        return wait * (1 + self._session.random() / 4)


class Follow(Iterator[Event]):
    """Events as they come, without end. Use it in ``with``, or call ``close``.

    A broken connection is opened again and continues after the last event; nothing is lost and nothing comes twice.
    """

    def __init__(
        self, session: Session, filters: Mapping[str, Value], *, after: int | None, give_up_after: float
    ) -> None:
        self._session = session
        self._position = _Position(session, filters, after, give_up_after)
        self._events = self._read()

    @property
    def last_event_id(self) -> int | None:
        """Number of the last event. Keep it, and give it as ``after`` to continue in another process."""
        return self._position.last

    def __next__(self) -> Event:
        try:
            return next(self._events)
        except StopIteration:
            raise
        except BaseException:
            # An error ends the generator, but not the log: the next call continues after the last event.
            self._events = self._read()
            raise

    def close(self) -> None:
        """Ends the stream."""
        cast(Any, self._events).close()

    def __enter__(self) -> "Follow":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Iterator[Event]:
        position = self._position
        while True:
            error: Exception | None = None
            try:
                with self._session.open(position.request()) as (reply, pieces):
                    parser = position.parser(reply.headers.get("content-type"))
                    for piece in pieces:
                        position.alive(parser)
                        for message in parser.feed(piece):
                            event = position.taken(message)
                            if event is not None:
                                yield event
            except PASSING as failure:
                error = failure
            self._session.pause(position.wait(error))


class AsyncFollow(AsyncIterator[Event]):
    """As ``Follow``, for programs with an event loop. Use it in ``async with``, or call ``close``."""

    def __init__(
        self, session: AsyncSession, filters: Mapping[str, Value], *, after: int | None, give_up_after: float
    ) -> None:
        self._session = session
        self._position = _Position(session, filters, after, give_up_after)
        self._events = self._read()

    @property
    def last_event_id(self) -> int | None:
        """Number of the last event; see ``Follow.last_event_id``."""
        return self._position.last

    async def __anext__(self) -> Event:
        try:
            return await anext(self._events)
        except StopAsyncIteration:
            raise
        except BaseException:
            # As in Follow. A time-out of the caller, which cancels the wait for the next event, comes here too.
            self._events = self._read()
            raise

    async def close(self) -> None:
        """Ends the stream."""
        await cast(Any, self._events).aclose()

    async def __aenter__(self) -> "AsyncFollow":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _read(self) -> AsyncIterator[Event]:
        position = self._position
        while True:
            error: Exception | None = None
            try:
                async with self._session.open(position.request()) as (reply, pieces):
                    parser = position.parser(reply.headers.get("content-type"))
                    async for piece in pieces:
                        position.alive(parser)
                        for message in parser.feed(piece):
                            event = position.taken(message)
                            if event is not None:
                                yield event
            except PASSING as failure:
                error = failure
            await self._session.pause(position.wait(error))
