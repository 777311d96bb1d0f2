"""Describes the operations of the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InvalidAnswer
from .files import PAGING
from .values import Value, path_of, query_of


@dataclass(frozen=True)
class Operation:
    """One operation, as the OpenAPI document has it."""

    name: str
    path: str
    #: The member of the answer that holds the rows: empty if the answer is an array, ``None`` without rows.
    member: str | None = None
    #: Class of its rows in ``openfilings.models``.
    row: Any = None
    #: Whether its answer names a next page.
    paged: bool = False
    #: The maximum of ``limit``, if the list has several pages and the default is smaller.
    largest: int | None = None
    #: Formats in which the whole list comes as a file.
    files: tuple[str, ...] = ()

    def rows(self, page: Any) -> list[Any]:
        """Returns the rows of a page. Raises ``InvalidAnswer`` if there are none where rows must be."""
        found = page if self.member == "" else page.get(self.member) if isinstance(page, dict) else None
        # A detail may have null in place of lines.
        if found is None and isinstance(page, dict) and self.member in page:
            return []
        if not isinstance(found, list):
            raise InvalidAnswer(f"the answer of {self.name} has no rows in {self.member or 'it'}")
        return found


@dataclass(frozen=True)
class Call:
    """An operation with the values of its parameters."""

    operation: Operation
    path: Mapping[str, Value]
    query: Mapping[str, Value]

    def address(self) -> tuple[str, str]:
        """Returns path and query string."""
        return path_of(self.operation.path, self.path), query_of(self.query)

    def largest(self) -> int | None:
        """Returns the largest size of a page, or ``None`` if pages keep the size that they have."""
        return self.operation.largest if self.query.get("limit") is None else None

    def file_address(self, wanted: str) -> tuple[str, str]:
        """Returns path and query string of the whole list as a file."""
        skipped = PAGING if self.operation.paged else ()
        query = {name: value for name, value in self.query.items() if name not in skipped}
        return path_of(self.operation.path, self.path), query_of({**query, "format": wanted})

    def feed_address(self, wanted: str) -> tuple[str, str]:
        """Returns path and query string of a page as a feed."""
        return path_of(self.operation.path, self.path), query_of({**self.query, "format": wanted})

    def columns(self) -> list[str] | None:
        """Returns the chosen fields of rows, or ``None`` for all of them."""
        chosen = self.query.get("fields")
        if isinstance(chosen, str):
            return [name.strip() for name in chosen.split(",") if name.strip()]
        return None if chosen is None else [str(name) for name in chosen]  # type: ignore[union-attr]
