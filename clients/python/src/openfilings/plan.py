"""Decides for both clients, without input and output, which request is sent when, and what an answer means.

A plan is a generator. It yields ``Send`` and ``Wait``; a session carries them out and sends back the results.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx

from .errors import InvalidAnswer, NoConnection, error_class
from .etags import ETags, Kept
from .settings import Retry

JSON = "application/json"


@dataclass(frozen=True)
class Request:
    """A request: its address, and headers in addition to those of the client."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Whether the body is read later, piece by piece, if the status is 200.
    stream: bool = False
    #: Whether the answer may go on for ever.
    endless: bool = False


@dataclass(frozen=True)
class Reply:
    """What came back. ``body`` is empty, and ``response`` is open, if the body is read later."""

    status: int
    headers: httpx.Headers
    body: bytes
    response: httpx.Response | None = None


@dataclass(frozen=True)
class Send:
    """Send this request; the plan goes on with its reply, or with the reason why there is none."""

    request: Request


@dataclass(frozen=True)
class Wait:
    """Wait so many seconds."""

    seconds: float


Plan = Generator[Send | Wait, "Reply | NoConnection | None", Reply]

#: Statuses after which the same request may succeed: too many requests, a gateway without a server, a server that
#: starts or ends.
_PASSING = (429, 502, 503, 504)
#: Codes of errors that a repeated request would cause again.
_LASTING = ("query_too_expensive", "count_too_expensive", "list_not_loaded")


def attempts(request: Request, retry: Retry, random: Callable[[], float]) -> Plan:
    """Sends a request until it is answered, within the bounds of ``retry``.

    Returns a reply with status 200, or 304 if the request allows it. Raises ``ApiError`` or ``NoConnection`` of the
    last try, and ``InvalidAnswer`` for any other status.
    """
    wanted = (200, 304) if "If-None-Match" in request.headers else (200,)
    waited = 0.0
    for number in range(1, max(retry.tries, 1) + 1):
        outcome = yield Send(request)
        error: Exception
        if isinstance(outcome, Reply):
            if outcome.status in wanted:
                return outcome
            error = error_of(outcome)
            stated = retry_after(outcome.headers)
            passes = outcome.status in _PASSING and getattr(error, "code", None) not in _LASTING
        else:
            error = outcome or NoConnection("there is no answer")
            stated = None
            passes = True
        wait = retry.backoff * 2 ** (number - 1) * (0.5 + random()) if stated is None else stated + random() / 4
        if not passes or number >= retry.tries or wait > retry.wait_max or waited + wait > retry.total_max:
            raise error
        yield Wait(wait)
        waited += wait
    raise AssertionError("a plan has at least one try")


def answer(request: Request, retry: Retry, random: Callable[[], float], etags: ETags | None) -> Plan:
    """As ``attempts``, for an answer in JSON. If it did not change, the reply is the one that was kept."""
    kept = etags.get(request.url) if etags is not None else None
    headers = {"Accept": JSON, **request.headers}
    if kept is not None:
        headers["If-None-Match"] = kept.etag
    reply = yield from attempts(Request(request.url, headers), retry, random)
    if reply.status == 304 and kept is not None:
        return Reply(200, httpx.Headers({**kept.headers, **reply.headers}), kept.body)
    etag = reply.headers.get("etag")
    if etags is not None and etag:
        names = ("content-type", "link")
        found = {name: reply.headers[name] for name in names if name in reply.headers}
        etags.put(request.url, Kept(etag, reply.body, found))
    return reply


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds that ``Retry-After`` states, as a number or as a date; ``None`` if it states nothing."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text) if len(text) < 10 else math.inf
    try:
        at = parsedate_to_datetime(text)
        now = parsedate_to_datetime(headers["date"]) if "date" in headers else datetime.now(timezone.utc)
        return max(0.0, (at - now).total_seconds())
    except (TypeError, ValueError):
        return None


def error_of(reply: Reply) -> Exception:
    """Returns the exception of a reply with an error status."""
    if reply.status < 400:
        return InvalidAnswer(f"unexpected status {reply.status}; redirects are not followed: correct the base address")
    code, message = "", ""
    try:
        found = json.loads(reply.body)
        code, message = (found[name] if isinstance(found[name], str) else "" for name in ("code", "error"))
    except (ValueError, KeyError, TypeError, RecursionError):
        # A proxy answered, or the document endpoint, whose errors are text.
        message = reply.body[:300].decode("utf-8", "replace").strip()
    return error_class(reply.status)(
        status=reply.status,
        code=code,
        message=message or "no message",
        request_id=reply.headers.get("x-request-id"),
        retry_after=retry_after(reply.headers),
        headers=dict(reply.headers),
    )


def parsed(reply: Reply, url: str) -> Any:
    """Returns the JSON of a reply. Raises ``InvalidAnswer`` if it is not JSON, whole and of the right type."""
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise InvalidAnswer(f"{_place(url)} answered {kind or 'without a content type'}, not {JSON}")
    try:
        found = json.loads(reply.body, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(f"{_place(url)} answered JSON that is cut off or damaged: {error}") from error
    if not isinstance(found, (dict, list)):
        raise InvalidAnswer(f"{_place(url)} answered neither an object nor an array")
    return found


def next_url(url: str, link: str | None) -> str | None:
    """Returns the address of the next page, from the header ``Link``; ``None`` on the last page.

    Only the query of the link is used, so that a damaged header cannot send the key to another host.
    """
    found = re.search(r'<([^>]*)>\s*;\s*rel="?next"?(?:[\s;,]|$)', link or "")
    if found is None:
        return None
    following = _with_query_of(url, found[1])
    if _start(following) == _start(url):
        raise InvalidAnswer(f"{_place(url)} names itself as its next page")
    return following


#: A path of its own, without a host, and its query.
_PLAIN = re.compile(r"(/(?!/)[A-Za-z0-9/._~-]+)\?([^#\s]*)")


def _with_query_of(url: str, link: str) -> str:
    """Returns the address with the query of the link, which leads to the same path."""
    plain = _PLAIN.fullmatch(link)
    here_text = url.partition("?")[0]
    # Taking both addresses apart takes 0.04 ms for each page.
    if plain is not None and here_text.endswith(plain[1]):
        return f"{here_text}?{plain[2]}"
    here, there = urlsplit(url), urlsplit(link)
    if not there.path or not unquote(here.path).endswith(unquote(there.path)):
        raise InvalidAnswer(f"the link to the next page of {_place(url)} leads to another place: {link[:200]}")
    return here._replace(query=there.query).geturl()


def _start(url: str) -> list[str]:
    """Returns the parts of an address without the size of its page."""
    return [part for part in re.split("[?&]", url) if not part.startswith("limit=")]


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _place(url: str) -> str:
    return urlsplit(url).path
