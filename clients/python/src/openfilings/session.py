"""Sends requests with httpx, for blocking programs and for ``asyncio``."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from . import plan
from .errors import InvalidAnswer, NoConnection, TimedOut
from .etags import ETags
from .plan import Plan, Reply, Request, Send
from .settings import Settings

try:
    VERSION = version("openfilings")
except PackageNotFoundError:
    # The package is not installed: the program runs from a checkout.
    VERSION = "0"


class _Common:
    """What both sessions know."""

    def __init__(
        self,
        base_url: str,
        key: str,
        settings: Settings,
        etags: ETags | None,
        clock: Callable[[], float],
        random: Callable[[], float],
    ) -> None:
        base = urlsplit(base_url)
        if base.scheme not in ("http", "https") or not base.netloc or base.query or base.fragment:
            raise ValueError(f"{base_url!r} is not the address of a service, such as https://filings.example.com")
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            # The message does not show the key.
            raise ValueError("the API key is empty, or has characters that no key has")
        self.base = base_url.rstrip("/").removesuffix("/v1")
        #: Scheme and host, in front of the path of each request.
        self._origin = f"{base.scheme}://{base.netloc}"
        self._place = httpx.URL(self._origin)
        self._headers = {
            "host": self._place.netloc.decode("ascii"),
            "accept": "*/*",
            # On this machine, compression saves nothing, and takes time of the service and of this program.
            "accept-encoding": "identity" if _is_this_machine(base.hostname or "") else "gzip, deflate",
            "user-agent": f"openfilings-python/{VERSION}",
            "x-api-key": key,
        }
        self.settings = settings
        self.etags = etags
        self.clock = clock
        self.random = random

    def url(self, path: str, query: str = "") -> str:
        """Returns the address of a path of the API, without its version: ``/filings``."""
        return f"{self.base}/v1{path}" + (f"?{query}" if query else "")

    def built(self, request: Request) -> httpx.Request:
        """Returns a request of httpx.

        ``build_request`` of httpx takes longer. Parsing the whole address again, and looking for the header ``Host``,
        would take 0.14 ms more for each request.
        """
        timeouts = self.settings.timeouts
        timeout = timeouts.of_stream() if request.endless else timeouts.of_answer()
        headers = {**self._headers, **{name.lower(): value for name, value in request.headers.items()}}
        raw = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
        return httpx.Request("GET", self._url(request.url), headers=raw, extensions={"timeout": timeout.as_dict()})

    def _url(self, address: str) -> httpx.URL | str:
        target = address[len(self._origin) :]
        is_plain = address.startswith(self._origin) and _PLAIN.fullmatch(target) is not None
        return self._place.copy_with(raw_path=target.encode("ascii")) if is_plain else address

    def answer_plan(self, url: str) -> Plan:
        return plan.answer(Request(url), self.settings.retry, self.random, self.etags)

    def open_plan(self, request: Request) -> Plan:
        return plan.attempts(request, self.settings.retry, self.random)


#: A path with a query that httpx sends as it is.
_PLAIN = re.compile(r"/[A-Za-z0-9/._~!$&'()*+,;=:@%?-]*")

#: Without it, httpx 0.23 adds the login that ``~/.netrc`` has for the host.
_NO_LOGIN = httpx.Auth()


def _needs_proxies(transport: object | None) -> bool:
    """Whether the environment names proxies, and the caller gives no transport, with which httpx would ignore them.

    Only a client of httpx knows which proxy is for which address. Without proxies, a transport of httpx is enough:
    unlike a client, it does not look for cookies and redirects, which takes 0.3 ms for each answer.
    """
    return transport is None and bool(getproxies())


def _is_this_machine(host: str) -> bool:
    return re.fullmatch(r"localhost|127\.[0-9]+\.[0-9]+\.[0-9]+|::1", host) is not None


class _Body:
    """Collects a body within the limits of size and time."""

    def __init__(self, common: _Common) -> None:
        self._common = common
        self._end = common.clock() + common.settings.timeouts.answer
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > self._common.settings.limits.answer:
            raise InvalidAnswer(f"the answer has more than {self._common.settings.limits.answer} bytes")
        if self._common.clock() > self._end:
            raise TimedOut(f"the answer did not end within {self._common.settings.timeouts.answer:g} seconds")

    def joined(self) -> bytes:
        return b"".join(self._pieces)


def broken(error: httpx.HTTPError | httpx.InvalidURL) -> NoConnection | InvalidAnswer:
    """Returns our exception for one of httpx."""
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"the service did not answer in time ({type(error).__name__})")
    reason = str(error) or type(error).__name__
    if isinstance(error, httpx.TransportError):
        return NoConnection(f"the connection to the service failed: {reason}")
    return InvalidAnswer(f"the answer cannot be read: {reason}")


def _streams(reply: httpx.Response, request: Request) -> bool:
    return request.stream and reply.status_code == 200


class Session(_Common):
    """Sends requests one after the other."""

    def __init__(self, *args: Any, sleep: Callable[[float], None], transport: httpx.BaseTransport | None) -> None:
        super().__init__(*args)
        self._sleep = sleep
        self._send: Callable[[httpx.Request], httpx.Response]
        self.close: Callable[[], None]
        if _needs_proxies(transport):
            client = httpx.Client(auth=_NO_LOGIN, follow_redirects=False)
            self._send, self.close = partial(client.send, stream=True), client.close
        else:
            used = transport or httpx.HTTPTransport()
            self._send, self.close = used.handle_request, used.close

    def pause(self, seconds: float) -> None:
        """Waits as the caller of the client said."""
        self._sleep(seconds)

    def json(self, url: str) -> tuple[Any, Reply]:
        """Returns an answer in JSON, with its reply."""
        reply = self.answer(url)
        return plan.parsed(reply, url), reply

    def answer(self, url: str, is_wanted: Callable[[], bool] = lambda: True) -> Reply:
        """Returns the reply of an answer in JSON, which is not parsed yet.

        :param is_wanted: says before each try whether the answer is still wanted
        """
        return self._run(self.answer_plan(url), is_wanted)

    def whole(self, url: str) -> Reply:
        """Returns an answer of any type, as bytes."""
        return self._run(self.open_plan(Request(url)))

    @contextmanager
    def open(self, request: Request) -> Iterator[tuple[Reply, Iterator[bytes]]]:
        """Opens an answer that is read piece by piece."""
        reply = self._run(self.open_plan(request))
        response = reply.response
        assert response is not None
        try:
            yield reply, self._pieces(response)
        finally:
            response.close()

    def once(self, request: Request) -> Reply | NoConnection:
        """Sends a request once."""
        try:
            response = self._send(self.built(request))
            if _streams(response, request):
                return Reply(response.status_code, response.headers, b"", response)
            body = _Body(self)
            try:
                for piece in response.iter_bytes():
                    body.add(piece)
            finally:
                response.close()
            return Reply(response.status_code, response.headers, body.joined())
        except TimedOut as error:
            return error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return _returned(error)

    def _run(self, steps: Plan, is_wanted: Callable[[], bool] = lambda: True) -> Reply:
        outcome: Reply | NoConnection | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            outcome = None
            if not is_wanted():
                raise NoConnection("nobody waits for the answer any more")
            if isinstance(step, Send):
                outcome = self.once(step.request)
            else:
                self._sleep(step.seconds)

    @staticmethod
    def _pieces(response: httpx.Response) -> Iterator[bytes]:
        try:
            yield from response.iter_bytes()
        except httpx.HTTPError as error:
            raise broken(error) from error


class AsyncSession(_Common):
    """Sends requests from an event loop. Its methods are those of ``Session``."""

    def __init__(
        self,
        *args: Any,
        sleep: Callable[[float], Awaitable[None]],
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        super().__init__(*args)
        self._sleep = sleep
        self._send: Callable[[httpx.Request], Awaitable[httpx.Response]]
        self.close: Callable[[], Awaitable[None]]
        if _needs_proxies(transport):
            client = httpx.AsyncClient(auth=_NO_LOGIN, follow_redirects=False)
            self._send, self.close = partial(client.send, stream=True), client.aclose
        else:
            used = transport or httpx.AsyncHTTPTransport()
            self._send, self.close = used.handle_async_request, used.aclose

    async def pause(self, seconds: float) -> None:
        """Waits as the caller of the client said."""
        await self._sleep(seconds)

    async def json(self, url: str) -> tuple[Any, Reply]:
        """Returns an answer in JSON, with its reply."""
        reply = await self.answer(url)
        return plan.parsed(reply, url), reply

    async def answer(self, url: str) -> Reply:
        """Returns the reply of an answer in JSON, which is not parsed yet."""
        return await self._run(self.answer_plan(url))

    async def whole(self, url: str) -> Reply:
        """Returns an answer of any type, as bytes."""
        return await self._run(self.open_plan(Request(url)))

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[tuple[Reply, AsyncIterator[bytes]]]:
        """Opens an answer that is read piece by piece."""
        reply = await self._run(self.open_plan(request))
        response = reply.response
        assert response is not None
        try:
            yield reply, self._pieces(response)
        finally:
            await response.aclose()

    async def once(self, request: Request) -> Reply | NoConnection:
        """Sends a request once."""
        try:
            response = await self._send(self.built(request))
            if _streams(response, request):
                return Reply(response.status_code, response.headers, b"", response)
            body = _Body(self)
            try:
                async for piece in response.aiter_bytes():
                    body.add(piece)
            finally:
                await response.aclose()
            return Reply(response.status_code, response.headers, body.joined())
        except TimedOut as error:
            return error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return _returned(error)

    async def _run(self, steps: Plan) -> Reply:
        outcome: Reply | NoConnection | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            outcome = None
            if isinstance(step, Send):
                outcome = await self.once(step.request)
            else:
                await self._sleep(step.seconds)

    @staticmethod
    async def _pieces(response: httpx.Response) -> AsyncIterator[bytes]:
        try:
            async for piece in response.aiter_bytes():
                yield piece
        except httpx.HTTPError as error:
            raise broken(error) from error


def _returned(error: httpx.HTTPError | httpx.InvalidURL) -> NoConnection:
    """Returns a failure that may pass, and raises one that will not."""
    found = broken(error)
    if isinstance(found, NoConnection):
        return found
    raise found from error
