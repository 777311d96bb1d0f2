"""Fixtures: the service on the sample, which `test/clients/python.test.ts` starts, and servers that misbehave."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import httpx
import pytest

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
ROOT = PROJECT.parent.parent
# The tests run on the checkout; test_package.py runs on what is packed.
sys.path.insert(0, str(PROJECT / "src"))

from openfilings import AsyncOpenFilings, OpenFilings  # noqa: E402

NO_SERVICE = "it needs the service on the sample: run `npm test -- --ci`, or `npm test -- python`"


@dataclass(frozen=True)
class Service:
    """The running service: its address, keys of every kind, and the address that triggers actions."""

    url: str
    control: str
    keys: dict[str, str]

    def act(self, what: str, **values: str) -> Any:
        """Triggers ``happen`` (logs events), ``restart`` (kills and restarts the server) or ``webhook`` (makes one)."""
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in values.items())
        with urlopen(f"{self.control}/{what}?{query}", timeout=120) as answer:
            return json.load(answer)


@pytest.fixture(scope="session")
def service() -> Service:
    given = os.environ.get("OPENFILINGS_TEST")
    if not given:
        pytest.skip(NO_SERVICE)
    return Service(**json.loads(given))


@pytest.fixture
def of(service: Service) -> Iterator[OpenFilings]:
    with OpenFilings(service.url, service.keys["full"]) as client:
        yield client


@pytest.fixture
def document() -> dict[str, Any]:
    return json.loads((ROOT / "generated" / "openapi.json").read_text())


class Waits:
    """Replaces ``sleep``: records the requested waits, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)

    async def later(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


#: What a server sends for a request: writes raw bytes to the connection.
Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Hostile:
    """A server that answers each request with the next of ``answers``, and repeats the last of them."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    #: Path with query, and headers in lower case, of each request.
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def client(self, **options: Any) -> OpenFilings:
        # Loading the list of certificates would take most of the time of these tests.
        transport = httpx.HTTPTransport(verify=False)
        return OpenFilings(self.url, "key", random=lambda: 0.5, transport=transport, **options)

    def async_client(self, **options: Any) -> AsyncOpenFilings:
        transport = httpx.AsyncHTTPTransport(verify=False)
        return AsyncOpenFilings(self.url, "key", random=lambda: 0.5, transport=transport, **options)


@pytest.fixture
def hostile() -> Iterator[Hostile]:
    found = Hostile()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            answer = found.answers.pop(0) if len(found.answers) > 1 else found.answers[0]
            try:
                answer(self)
                self.wfile.flush()
            except OSError:
                # The client has hung up.
                pass
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def raw(text: str | bytes) -> Answer:
    """Returns an answer that sends these bytes and then ends the connection."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(text if isinstance(text, bytes) else text.replace("\n", "\r\n").encode())

    return answer


def sent(
    body: Any, status: int = 200, kind: str = "application/json", length: int | None = None, **headers: str
) -> Answer:
    """Returns an answer with a body: JSON of a value, or text. ``length`` replaces the true length of the body."""
    data = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    lines = [
        f"HTTP/1.1 {status} X",
        f"Content-Type: {kind}",
        f"Content-Length: {len(data) if length is None else length}",
    ]
    # Without this header, a client may send its next request on a connection that is being closed.
    lines += ["Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return raw(("\r\n".join([*lines, "", ""])).encode() + data)


def run(work: Any) -> Any:
    """Runs a coroutine to its end, and fails if that takes a minute."""
    return asyncio.run(asyncio.wait_for(work, 60))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Writes the outcome of each test as a line of JSON, for the project's runner."""
    path = os.environ.get("OPENFILINGS_TEST_RESULTS")
    if not path or (report.when != "call" and report.outcome == "passed"):
        return
    reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else report.longreprtext
    line = {"test": report.nodeid, "outcome": report.outcome, "reason": reason, "seconds": report.duration}
    with open(path, "a") as file:
        file.write(json.dumps(line) + "\n")
