"""Reads a stream of Server-Sent Events (WHATWG HTML, 9.2) from bytes, in pieces of any size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .errors import InvalidAnswer


@dataclass(frozen=True)
class Message:
    """One message. ``data`` is ``None`` if the message only moves the position."""

    id: str | None
    data: str | None


class Parser:
    """Turns bytes into messages.

    ``retry`` is the time after which the server wants a client to come back, in seconds, once the server stated it.
    """

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._rest = b""
        self._begun = False
        self._held = 0
        self._id: str | None = None
        self._data: list[str] = []
        self.retry: float | None = None

    def feed(self, chunk: bytes) -> Iterator[Message]:
        """Yields the messages that end in a piece. Raises ``InvalidAnswer`` if one is too large."""
        text = self._rest + chunk
        # The CR at the end may be the first half of a line end.
        keep = text.endswith(b"\r")
        lines = (text[:-1] if keep else text).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._rest = lines.pop() + (b"\r" if keep else b"")
        for line in lines:
            self._held += len(line)
            message = self._line(line)
            if message is not None:
                yield message
            self._check(self._held)
        self._check(self._held + len(self._rest))

    def _check(self, size: int) -> None:
        if size > self._bytes_max:
            raise InvalidAnswer(f"an event of the stream has more than {self._bytes_max} bytes")

    def _line(self, line: bytes) -> Message | None:
        if not self._begun:
            self._begun = True
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line == b"":
            return self._end()
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit() and len(value) < 10:
            self.retry = int(value) / 1000
        return None

    def _end(self) -> Message | None:
        self._held = 0
        data, self._data = self._data, []
        identifier, self._id = self._id, None
        if not data and identifier is None:
            return None
        return Message(identifier, "\n".join(data) if data else None)
