"""Bounds of time, size and number that a client keeps."""

from __future__ import annotations

from dataclasses import dataclass

import httpx


@dataclass(frozen=True)
class Timeouts:
    """Limits of time, in seconds."""

    #: For the connection, also to a proxy.
    connect: float = 10.0
    #: For the next bytes of an answer. The service lets a request run for up to a minute.
    read: float = 75.0
    #: For a whole answer in JSON, so that a server that sends a byte a minute does not hold a program for ever.
    answer: float = 300.0
    #: For the next bytes of a stream of events. The service sends a line every 15 seconds.
    stream: float = 45.0

    def of_answer(self) -> httpx.Timeout:
        """Returns the limits of an ordinary request."""
        return httpx.Timeout(self.read, connect=self.connect)

    def of_stream(self) -> httpx.Timeout:
        """Returns the limits of a stream of events."""
        return httpx.Timeout(self.stream, connect=self.connect)


@dataclass(frozen=True)
class Retry:
    """How often and how long a request is repeated. Every request only reads, so a repetition changes nothing.

    429 and 503 are repeated after the time that ``Retry-After`` states; 502, 504 and broken connections after a time
    that doubles. ``Retry(tries=1)`` repeats nothing.
    """

    #: Number of requests in all.
    tries: int = 5
    #: Longest single wait, in seconds. A longer ``Retry-After`` raises at once. A full bucket needs at most 60.
    wait_max: float = 65.0
    #: Longest sum of waits of one request, in seconds.
    total_max: float = 200.0
    #: First wait where the server states none, in seconds.
    backoff: float = 0.5


@dataclass(frozen=True)
class Limits:
    """Limits of size, in bytes."""

    #: An answer in JSON. The text of a long filing has several million.
    answer: int = 256 * 2**20
    #: One event of a stream.
    event: int = 2**20


@dataclass(frozen=True)
class Settings:
    """All bounds of a client."""

    timeouts: Timeouts = Timeouts()
    retry: Retry = Retry()
    limits: Limits = Limits()
