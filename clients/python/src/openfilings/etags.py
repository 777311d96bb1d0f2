"""Answers that a client keeps, so that the service sends only what changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock


@dataclass(frozen=True)
class Kept:
    """An answer with its validator."""

    etag: str
    body: bytes
    headers: dict[str, str]


class ETags:
    """The latest answers by address, up to a number of bytes; the least recently used one is dropped first.

    Use it for one client only, since its answers belong to one key.
    """

    def __init__(self, bytes_max: int = 32 * 2**20) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, address: str) -> Kept | None:
        """Returns the answer of an address, if it is still kept."""
        with self._lock:
            found = self._kept.get(address)
            if found is not None:
                self._kept.move_to_end(address)
            return found

    def put(self, address: str, kept: Kept) -> None:
        """Keeps an answer. An answer larger than a quarter of the cache is not kept."""
        with self._lock:
            before = self._kept.pop(address, None)
            if before is not None:
                self._bytes -= len(before.body)
            if len(kept.body) > self._bytes_max // 4:
                return
            self._kept[address] = kept
            self._bytes += len(kept.body)
            while self._bytes > self._bytes_max:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= len(dropped.body)
