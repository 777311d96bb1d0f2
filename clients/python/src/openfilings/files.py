"""Reads whole lists as files: rows one after the other, and the last line, which proves that all arrived."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

from .errors import CutOff, InvalidAnswer

Format = Literal["csv", "ndjson", "parquet"]
Feed = Literal["atom", "jsonfeed"]
TYPES: dict[str, str] = {
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "atom": "application/atom+xml",
    "jsonfeed": "application/feed+json",
}
#: Parameters that choose a page, or count; a file has all pages.
PAGING = ("limit", "offset", "page", "size", "cursor", "paginate", "count")
#: Longest line of NDJSON, in bytes.
_LINE_MAX = 64 * 2**20
_TAIL = 64 * 2**10


@dataclass(frozen=True)
class Document:
    """An original document, as it was filed, or a feed."""

    content: bytes
    content_type: str


@dataclass(frozen=True)
class Download:
    """A file that is complete."""

    path: Path
    rows: int
    bytes: int
    #: What was never loaded by the service, and is therefore missing.
    not_loaded: tuple[str, ...]


def format_of(path: str | os.PathLike[str], wanted: str | None, offered: tuple[str, ...]) -> Format:
    """Returns the format of a file, by its name if it is not stated. Raises ``ValueError`` if the list lacks it."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    found = wanted or {"jsonl": "ndjson"}.get(suffix, suffix)
    if found not in offered:
        raise ValueError(f"unknown format {found!r}; this list is available as {' or '.join(offered)}")
    return cast(Format, found)


def check_type(content_type: str | None, wanted: Format | Feed) -> None:
    """Raises ``InvalidAnswer`` if the answer is not of the wanted format, such as the login page of a proxy."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if kind != TYPES[wanted]:
        raise InvalidAnswer(f"the service sent {kind or 'no content type'}, not {TYPES[wanted]}")


class NdjsonRows:
    """Turns bytes of NDJSON into rows."""

    def __init__(self) -> None:
        self._rest = b""
        self.count = 0
        self._stated: int | None = None
        self.not_loaded: tuple[str, ...] = ()

    def feed(self, piece: bytes) -> Iterator[dict[str, Any]]:
        """Yields the rows that end in a piece."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if len(self._rest) > _LINE_MAX:
            raise InvalidAnswer(f"a line of the file has more than {_LINE_MAX} bytes")
        for line in lines:
            row = self._row(line)
            if row is not None:
                self.count += 1
                yield row

    def end(self) -> None:
        """Raises ``CutOff`` if the last line is missing, or states another number of rows."""
        if self._rest or self._stated is None:
            raise CutOff("the file ended before its last line; request it again")
        if self._stated != self.count:
            raise CutOff(f"the file has {self.count} rows, but its last line states {self._stated}; request it again")

    def _row(self, line: bytes) -> dict[str, Any] | None:
        try:
            found = json.loads(line)
            if not isinstance(found, dict):
                raise ValueError("not an object")
            if "_end" not in found:
                return found
            self._stated = int(found["_end"]["rows"])
            missing = found["_end"].get("not_loaded", [])
            self.not_loaded = tuple(f"{one['source']}: {one['note']}" for one in missing)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidAnswer(f"a line of the file is not valid: {error}") from error
        return None


class CsvCheck:
    """Counts the rows of a CSV file while it arrives, without parsing it."""

    def __init__(self) -> None:
        self._quoted = False
        self._lines = 0
        self._tail = b""
        self.count = 0
        self.not_loaded: tuple[str, ...] = ()

    def feed(self, piece: bytes) -> None:
        self._tail = (self._tail + piece)[-_TAIL:]
        for at, part in enumerate(piece.split(b'"')):
            if at > 0:
                self._quoted = not self._quoted
            if not self._quoted:
                # A line end within quotes belongs to a cell.
                self._lines += part.count(b"\n")

    def end(self) -> None:
        """Raises ``CutOff`` if the last line is missing, or states another number of rows."""
        *before, last, rest = [b"", *self._tail.split(b"\r\n")]
        stated = re.fullmatch(rb"# rows: ([0-9]{1,15})", last)
        if stated is None or rest or self._quoted:
            raise CutOff("the file ended before its last line; request it again")
        remarks: list[str] = []
        for line in reversed(before):
            if not line.startswith(b"# not loaded: "):
                break
            remarks.insert(0, line[len(b"# not loaded: ") :].decode("utf-8", "replace"))
        self.count = int(stated[1])
        # All lines but the header, the remarks and the last one.
        rows = self._lines - 2 - len(remarks)
        if rows != self.count:
            raise CutOff(f"the file has {rows} rows, but its last line states {self.count}; request it again")
        self.not_loaded = tuple(remarks)


class ParquetCheck:
    """Reads the end of a Parquet file, which states the number of rows, without the package for Parquet."""

    def __init__(self) -> None:
        self._tail = b""
        self.count = 0
        self.not_loaded: tuple[str, ...] = ()

    def feed(self, piece: bytes) -> None:
        self._tail = (self._tail + piece)[-_TAIL:]

    def end(self) -> None:
        """Raises ``CutOff`` if the end is missing."""
        stated = self._metadata(b"openfilings.rows")
        if not self._tail.endswith(b"PAR1") or stated is None or not stated.isdigit():
            raise CutOff("the file ended before its footer; request it again")
        self.count = int(stated)
        missing = self._metadata(b"openfilings.not_loaded")
        if missing is not None:
            try:
                self.not_loaded = tuple(f"{one['source']}: {one['note']}" for one in json.loads(missing))
            except (ValueError, KeyError, TypeError) as error:
                raise InvalidAnswer(f"the metadata of the file are not valid: {error}") from error

    def _metadata(self, key: bytes) -> bytes | None:
        """Returns a value of the metadata, which Thrift writes as key, 0x18, length and bytes."""
        at = self._tail.rfind(key + b"\x18")
        if at < 0:
            return None
        at += len(key) + 1
        length = shift = 0
        for byte in self._tail[at:]:
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        value = self._tail[at : at + length]
        return value if len(value) == length else None


CHECKS: dict[Format, type[CsvCheck | NdjsonRows | ParquetCheck]] = {
    "csv": CsvCheck,
    "ndjson": NdjsonRows,
    "parquet": ParquetCheck,
}


class Target:
    """A file that appears under its name only when it is complete."""

    def __init__(self, path: str | os.PathLike[str], wanted: Format) -> None:
        self.path = Path(path)
        # Another program may download to the same path, so each download has a temporary file of its own.
        self._part = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}.part")
        self._check: CsvCheck | NdjsonRows | ParquetCheck = CHECKS[wanted]()
        self._bytes = 0
        self._file: IO[bytes] = open(self._part, "wb")

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self._bytes += len(piece)
        if isinstance(self._check, NdjsonRows):
            for _ in self._check.feed(piece):
                pass
        else:
            self._check.feed(piece)

    def finish(self) -> Download:
        """Gives the file its name. Raises ``CutOff`` if it is not complete."""
        self._check.end()
        self._file.close()
        os.replace(self._part, self.path)
        return Download(self.path, self._check.count, self._bytes, self._check.not_loaded)

    def __enter__(self) -> "Target":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._part.unlink(missing_ok=True)
