"""The two clients."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx

from .etags import ETags
from .generated.api import Groups
from .generated.async_api import AsyncGroups
from .session import AsyncSession, Session
from .settings import Settings
from .values import Value, query_of

LOCAL = "http://127.0.0.1:8080"


def _place(base_url: str | None, key: str | None) -> tuple[str, str]:
    """Returns address and key, by default from the environment."""
    found = key or os.environ.get("OPENFILINGS_KEY", "")
    if not found:
        raise ValueError("an API key is needed: give key=…, or set OPENFILINGS_KEY")
    return base_url or os.environ.get("OPENFILINGS_URL") or LOCAL, found


class OpenFilings(Groups):
    """A client for programs that wait for each answer.

    :param base_url: address of the service; by default ``OPENFILINGS_URL``, else ``http://127.0.0.1:8080``
    :param key: API key; by default ``OPENFILINGS_KEY``
    :param settings: bounds of time, size and number
    :param etags: keeps answers, so that unchanged ones are not sent again; nothing is kept by default
    :param transport: of httpx, for example with a proxy or a certificate of your own
    :param sleep: waits so many seconds
    :param clock: seconds of a clock that is never set back
    :param random: a number from 0 to 1, for jitter

    Use it in ``with``, or call ``close``. One client may be used from several threads.
    """

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        settings: Settings = Settings(),
        etags: ETags | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random.random,
    ) -> None:
        address, found = _place(base_url, key)
        session = Session(address, found, settings, etags, clock, random, sleep=sleep, transport=transport)
        super().__init__(session)
        self._session = session

    def call(self, path: str, query: Mapping[str, Value] | None = None) -> Any:
        """Returns the JSON of any path, ``/filings`` for ``/v1/filings``, for endpoints that have no method yet."""
        found, _ = self._session.json(self._session.url(_checked(path), query_of(query or {})))
        return found

    def close(self) -> None:
        """Closes all connections."""
        self._session.close()

    def __enter__(self) -> "OpenFilings":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<OpenFilings {self._session.base}>"


class AsyncOpenFilings(AsyncGroups):
    """The same as ``OpenFilings``, for ``asyncio``. Use it in ``async with``, or call ``close``."""

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        settings: Settings = Settings(),
        etags: ETags | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random.random,
    ) -> None:
        address, found = _place(base_url, key)
        session = AsyncSession(address, found, settings, etags, clock, random, sleep=sleep, transport=transport)
        super().__init__(session)
        self._session = session

    async def call(self, path: str, query: Mapping[str, Value] | None = None) -> Any:
        """Returns the JSON of any path; see ``OpenFilings.call``."""
        found, _ = await self._session.json(self._session.url(_checked(path), query_of(query or {})))
        return found

    async def close(self) -> None:
        """Closes all connections."""
        await self._session.close()

    async def __aenter__(self) -> "AsyncOpenFilings":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncOpenFilings {self._session.base}>"


def _checked(path: str) -> str:
    """Returns a path without ``/v1``. Raises ``ValueError`` for an address of another host."""
    found = path.removeprefix("/v1")
    if not found.startswith("/") or found.startswith("//"):
        raise ValueError(f"{path!r} is not a path of the API, such as /filings")
    return found
