"""Lists: rows through all pages, page by page, as a DataFrame, and as a file."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import aclosing, closing
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from . import plan
from .ahead import later_replies, replies
from .files import TYPES, Document, Download, Feed, NdjsonRows, Target, check_type, format_of
from .frames import Decimals, to_pandas
from .operations import Call
from .plan import Reply, Request
from .session import AsyncSession, Session
from .shapes import native
from .walk import Walk

if TYPE_CHECKING:
    import pandas

Page = TypeVar("Page")
Row = TypeVar("Row")


class Listing(Generic[Page, Row]):
    """A list of the API. Nothing is requested before it is used; each use begins with the first page again."""

    def __init__(self, session: Session, call: Call) -> None:
        self._session = session
        self._call = call

    def page(self) -> Page:
        """Returns the first page as the service answers it. Requests once."""
        found, _ = self._session.json(self._url())
        return cast(Page, found)

    def pages(self) -> Generator[Page, None, None]:
        """Yields page after page, by the header ``Link``.

        The first page has the default size of the list, and later pages the largest size. ``limit`` sizes all pages.
        From the second page on, the next page is requested while the caller uses a page.
        """
        walk = Walk(self._url(), self._call.largest())
        with closing(replies(self._session, walk)) as read:
            for reply in read:
                yield cast(Page, plan.parsed(reply, self._url()))

    def __iter__(self) -> Iterator[Row]:
        """Yields the rows of all pages."""
        return cast("Iterator[Row]", self._page_rows())

    def native(self) -> Iterator[dict[str, Any]]:
        """Yields the rows of all pages with ``Decimal``, ``date`` and ``datetime``."""
        for row in self:
            yield native(row, self._call.operation.row)

    def to_pandas(self, *, rows: int | None = None, decimals: Decimals = "decimal") -> "pandas.DataFrame":
        """Returns the rows of all pages as a DataFrame; see ``openfilings.to_pandas``.

        :param rows: the largest number of rows; all by default

        The rows come as one file where the list offers it, which is one request. ``limit`` only sizes pages.
        """
        is_file = "ndjson" in self._call.operation.files
        # Closed at once, so that a file that is not read to its end does not stay open.
        with closing(self._file_rows() if is_file else self._page_rows()) as read:
            found = list(islice(read, rows))
        return to_pandas(found, self._call.operation.row, decimals=decimals, columns=self._call.columns())

    def download(self, path: str | os.PathLike[str], format: str | None = None) -> Download:
        """Writes the rows of all pages to a file, which is one request.

        :param path: the file. It appears under its name when it is complete, and replaces an older one
        :param format: ``"csv"``, ``"ndjson"`` or ``"parquet"``; by default what the name ends with
        :raises CutOff: if the file ended early; nothing is left of it
        """
        wanted = format_of(path, format, self._call.operation.files)
        request = _file_request(self._session, self._call, wanted)
        with self._session.open(request) as (reply, pieces):
            check_type(reply.headers.get("content-type"), wanted)
            with Target(path, wanted) as target:
                for piece in pieces:
                    target.write(piece)
                return target.finish()

    def feed(self, format: Feed = "atom") -> Document:
        """Returns one page as a feed for feed readers, the newest rows first unless the list has another order.

        :param format: ``"atom"``, or ``"jsonfeed"`` for JSON Feed 1.1
        :raises BadRequest: if the rows of the list have no day, or if the list chooses fields
        :raises InvalidAnswer: if the answer is not a feed
        """
        reply = self._session.whole(self._session.url(*self._call.feed_address(format)))
        check_type(reply.headers.get("content-type"), format)
        return document_of(reply)

    def _page_rows(self) -> Generator[dict[str, Any], None, None]:
        with closing(self.pages()) as pages:
            for page in pages:
                yield from self._call.operation.rows(page)

    def _file_rows(self) -> Generator[dict[str, Any], None, None]:
        reading = NdjsonRows()
        with self._session.open(_file_request(self._session, self._call, "ndjson")) as (reply, pieces):
            check_type(reply.headers.get("content-type"), "ndjson")
            for piece in pieces:
                yield from reading.feed(piece)
            reading.end()

    def _url(self) -> str:
        return self._session.url(*self._call.address())

    def __repr__(self) -> str:
        return f"<list {'?'.join(filter(None, self._call.address()))}>"


class AsyncListing(Generic[Page, Row]):
    """As ``Listing``, for programs with an event loop."""

    def __init__(self, session: AsyncSession, call: Call) -> None:
        self._session = session
        self._call = call

    async def page(self) -> Page:
        """Returns the first page as the service answers it. Requests once."""
        found, _ = await self._session.json(self._url())
        return cast(Page, found)

    def __await__(self) -> Generator[Any, None, Page]:
        """``await of.filings.list(…)`` gives the first page."""
        return self.page().__await__()

    async def pages(self) -> AsyncGenerator[Page, None]:
        """Yields page after page; see ``Listing.pages``."""
        walk = Walk(self._url(), self._call.largest())
        async with aclosing(later_replies(self._session, walk)) as read:
            async for reply in read:
                yield cast(Page, plan.parsed(reply, self._url()))

    def __aiter__(self) -> AsyncIterator[Row]:
        """Yields the rows of all pages."""
        return cast("AsyncIterator[Row]", self._page_rows())

    async def native(self) -> AsyncIterator[dict[str, Any]]:
        """Yields the rows of all pages with ``Decimal``, ``date`` and ``datetime``."""
        async for row in self:
            yield native(row, self._call.operation.row)

    async def to_pandas(self, *, rows: int | None = None, decimals: Decimals = "decimal") -> "pandas.DataFrame":
        """Returns the rows of all pages as a DataFrame; see ``Listing.to_pandas``."""
        is_file = "ndjson" in self._call.operation.files
        found: list[dict[str, Any]] = []
        async with aclosing(self._file_rows() if is_file else self._page_rows()) as read:
            while rows is None or len(found) < rows:
                row = await anext(read, None)
                if row is None:
                    break
                found.append(row)
        return to_pandas(found, self._call.operation.row, decimals=decimals, columns=self._call.columns())

    async def download(self, path: str | os.PathLike[str], format: str | None = None) -> Download:
        """Writes the rows of all pages to a file; see ``Listing.download``."""
        wanted = format_of(path, format, self._call.operation.files)
        request = _file_request(self._session, self._call, wanted)
        async with self._session.open(request) as (reply, pieces):
            check_type(reply.headers.get("content-type"), wanted)
            with Target(path, wanted) as target:
                async for piece in pieces:
                    target.write(piece)
                return target.finish()

    async def feed(self, format: Feed = "atom") -> Document:
        """Returns one page as a feed for feed readers; see ``Listing.feed``."""
        reply = await self._session.whole(self._session.url(*self._call.feed_address(format)))
        check_type(reply.headers.get("content-type"), format)
        return document_of(reply)

    async def _page_rows(self) -> AsyncGenerator[dict[str, Any], None]:
        async with aclosing(self.pages()) as pages:
            async for page in pages:
                for row in self._call.operation.rows(page):
                    yield row

    async def _file_rows(self) -> AsyncGenerator[dict[str, Any], None]:
        reading = NdjsonRows()
        async with self._session.open(_file_request(self._session, self._call, "ndjson")) as (reply, pieces):
            check_type(reply.headers.get("content-type"), "ndjson")
            async for piece in pieces:
                for row in reading.feed(piece):
                    yield row
            reading.end()

    def _url(self) -> str:
        return self._session.url(*self._call.address())

    def __repr__(self) -> str:
        return f"<list {'?'.join(filter(None, self._call.address()))}>"


def document_of(reply: Reply) -> Document:
    """Returns the body of a reply with its content type."""
    return Document(reply.body, reply.headers.get("content-type", "application/octet-stream"))


def _file_request(session: Session | AsyncSession, call: Call, wanted: str) -> Request:
    return Request(session.url(*call.file_address(wanted)), {"Accept": TYPES[wanted]}, stream=True)
