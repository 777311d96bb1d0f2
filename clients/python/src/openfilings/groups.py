"""What the generated groups of methods have in common, and what is not an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .files import Document
from .follow import AsyncFollow, Follow
from .operations import Call, Operation
from .pages import AsyncListing, Listing, document_of
from .session import AsyncSession, Session
from .values import Value

__all__ = ["AsyncEventsGroup", "AsyncGroup", "Document", "EventsGroup", "Group"]

_GIVE_UP_AFTER = 600.0


class Group:
    """Methods of one group."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _list(self, operation: Operation, path: Mapping[str, Value], query: Mapping[str, Value]) -> Listing[Any, Any]:
        return Listing(self._session, Call(operation, path, query))

    def _get(self, operation: Operation, path: Mapping[str, Value], query: Mapping[str, Value]) -> Any:
        found, _ = self._session.json(self._session.url(*Call(operation, path, query).address()))
        return found

    def _document(self, operation: Operation, path: Mapping[str, Value], query: Mapping[str, Value]) -> Document:
        return document_of(self._session.whole(self._session.url(*Call(operation, path, query).address())))


class AsyncGroup:
    """As ``Group``, for programs with an event loop."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    def _list(
        self, operation: Operation, path: Mapping[str, Value], query: Mapping[str, Value]
    ) -> AsyncListing[Any, Any]:
        return AsyncListing(self._session, Call(operation, path, query))

    async def _get(self, operation: Operation, path: Mapping[str, Value], query: Mapping[str, Value]) -> Any:
        found, _ = await self._session.json(self._session.url(*Call(operation, path, query).address()))
        return found

    async def _document(self, operation: Operation, path: Mapping[str, Value], query: Mapping[str, Value]) -> Document:
        return document_of(await self._session.whole(self._session.url(*Call(operation, path, query).address())))


class EventsGroup(Group):
    """The log of events."""

    def follow(
        self,
        *,
        after: int | None = None,
        source: Sequence[str] | str | None = None,
        family: Sequence[str] | str | None = None,
        form: Sequence[str] | str | None = None,
        cik: Sequence[str | int] | str | int | None = None,
        give_up_after: float = _GIVE_UP_AFTER,
    ) -> Follow:
        """Follows the log as it grows, without end, across broken connections and restarts.

        :param after: number of the last event that you have; 0 for all of the log. By default begins with what
            comes next
        :param give_up_after: how many seconds the service may be away before the failure is raised

        The other parameters are those of ``list``. An open stream costs one request.
        """
        filters = {"source": source, "family": family, "form": form, "cik": cik}
        return Follow(self._session, filters, after=after, give_up_after=give_up_after)


class AsyncEventsGroup(AsyncGroup):
    """The log of events."""

    def follow(
        self,
        *,
        after: int | None = None,
        source: Sequence[str] | str | None = None,
        family: Sequence[str] | str | None = None,
        form: Sequence[str] | str | None = None,
        cik: Sequence[str | int] | str | int | None = None,
        give_up_after: float = _GIVE_UP_AFTER,
    ) -> AsyncFollow:
        """Follows the log as it grows; see ``EventsGroup.follow``."""
        filters = {"source": source, "family": family, "form": form, "cik": cik}
        return AsyncFollow(self._session, filters, after=after, give_up_after=give_up_after)
