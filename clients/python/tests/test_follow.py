"""Following the log of events gives each event once: none is lost, and none comes twice."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from conftest import Answer, Hostile, Service, Waits, raw, run, sent

from openfilings import AsyncOpenFilings, InvalidAnswer, InvalidSignature, NoConnection, OpenFilings, verify
from openfilings.sse import Message, Parser


def event(number: int) -> bytes:
    return f'id: {number}\nevent: added\ndata: {json.dumps({"event_number": number})}\n\n'.encode()


def stream(*pieces: bytes, kind: str = "text/event-stream; charset=utf-8") -> Answer:
    """Returns a stream of these pieces, each in a separate chunk. After them the stream ends."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        handler.wfile.write(head.encode())
        for piece in pieces:
            handler.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            handler.wfile.flush()
        handler.wfile.write(b"0\r\n\r\n")

    return answer


def parsed(*pieces: bytes, bytes_max: int = 10_000) -> list[Message]:
    parser = Parser(bytes_max)
    return [message for piece in pieces for message in parser.feed(piece)]


def test_a_stream_is_read_in_pieces_of_any_size():
    text = b"\xef\xbb\xbf: a comment\r\nretry: 2500\r\rid: 7\rdata: a\r\ndata:  b\r\nevent: x\n\nid: 8\n\ndata: \xc3\xa9\n\n"
    whole = [Message("7", "a\n b"), Message("8", None), Message(None, "é")]
    assert parsed(text) == whole
    for size in (1, 2, 3, 7):
        assert parsed(*(text[at : at + size] for at in range(0, len(text), size))) == whole
    parser = Parser(1000)
    list(parser.feed(b"retry: 2500\n\nretry: soon\n\nid: 1\0\n\nfield\n\n"))
    assert parser.retry == 2.5


def test_an_event_without_end_is_refused():
    with pytest.raises(InvalidAnswer):
        parsed(b"data: " + b"x" * 20_000)
    with pytest.raises(InvalidAnswer):
        parsed(*[b"data: x\n" * 100] * 200)
    assert len(parsed(*[b"data: " + b"x" * 5_000 + b"\n\n"] * 10)) == 10


def numbers(hostile: Hostile, waits: Waits, many: int, **options: Any) -> list[list[int]]:
    """Returns the first event numbers that each of the two clients gets from the same answers."""
    answers = list(hostile.answers)
    with hostile.client(sleep=waits) as of, of.events.follow(**options) as events:
        first = [next(events)["event_number"] for _ in range(many)]
    hostile.answers = answers

    async def ask() -> list[int]:
        async with hostile.async_client(sleep=waits.later) as of:
            async with of.events.follow(**options) as events:
                return [(await anext(events))["event_number"] for _ in range(many)]

    return [first, run(ask())]


def test_a_stream_that_ends_is_opened_again_after_the_last_event(hostile: Hostile, waits: Waits):
    hostile.answers = [
        stream(b"retry: 4000\n\n", event(5), event(6)[:20]),
        # An event that was sent before, a new event, and an id without an event.
        stream(event(5), event(7), b"id: 9\n\n"),
        stream(event(10)),
    ]
    assert numbers(hostile, waits, 3, after=4) == [[5, 7, 10]] * 2
    assert [headers["last-event-id"] for _, headers in hostile.requests] == ["4", "5", "9"] * 2
    assert waits.seconds[:2] == [4.5, 4.5], "the wait that the server states, and an eighth for jitter"
    assert all(headers["accept"] == "text/event-stream" for _, headers in hostile.requests)


def test_temporary_failures_are_tried_again_after_a_wait_and_others_are_raised(hostile: Hostile, waits: Waits):
    hostile.answers = [sent({}, 503, Retry_After="2")] * 6 + [raw(""), stream(event(1))]
    assert numbers(hostile, waits, 1, source="eightk") == [[1], [1]]
    assert "last-event-id" not in hostile.requests[0][1]
    assert hostile.requests[0][0] == "/v1/events?source=eightk"
    hostile.answers = [sent({"error": "x", "code": "invalid_parameter"}, 400)]
    with hostile.client(sleep=waits) as of, pytest.raises(Exception, match="invalid_parameter"):
        next(of.events.follow(source="nonsense"))


def test_after_an_error_the_next_call_continues_after_the_last_event(hostile: Hostile, waits: Waits):
    answers = [
        stream(event(1)),
        sent({"error": "x", "code": "invalid_api_key"}, 401),
        stream(event(1), event(2)),
    ]
    hostile.answers = [*answers, *answers]
    with hostile.client(sleep=waits) as of:
        follow = of.events.follow(after=0)
        assert next(follow)["event_number"] == 1
        with pytest.raises(Exception, match="invalid_api_key"):
            next(follow)
        assert next(follow)["event_number"] == 2
        follow.close()
        with pytest.raises(StopIteration):
            next(follow)

    async def ask() -> None:
        async with hostile.async_client(sleep=waits.later) as of:
            follow = of.events.follow(after=0)
            assert (await anext(follow))["event_number"] == 1
            with pytest.raises(Exception, match="invalid_api_key"):
                await anext(follow)
            assert (await anext(follow))["event_number"] == 2

    run(ask())


@pytest.mark.parametrize(
    "answer",
    [
        sent({"events": []}),
        stream(b"id: x\ndata: {}\n\n"),
        stream(b"id: 1\ndata: {\n\n"),
        stream(b"id: 1\ndata: 5\n\n"),
        stream(b"id: " + b"9" * 400 + b"\n\n"),
        stream(b"data: " + b"x" * 2_000_000),
    ],
)
def test_an_answer_that_is_not_a_valid_stream_is_refused(hostile: Hostile, waits: Waits, answer: Answer):
    hostile.answers = [answer]
    with hostile.client(sleep=waits) as of, pytest.raises(InvalidAnswer):
        next(of.events.follow(after=0))

    async def ask() -> None:
        async with hostile.async_client(sleep=waits.later) as of:
            await anext(of.events.follow(after=0))

    with pytest.raises(InvalidAnswer):
        run(ask())


def test_a_service_that_stays_away_is_given_up_after_the_time_that_the_caller_states():
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    with OpenFilings("http://127.0.0.1:9", "key", sleep=sleep, clock=lambda: now) as of:
        with pytest.raises(NoConnection):
            next(of.events.follow(after=0, give_up_after=300))
    assert 300 < now < 500


def accession(number: int) -> str:
    return f"0000000081-26-{number:06}"


def test_events_are_followed_across_a_kill_of_the_server(of: OpenFilings, service: Service):
    """The last events of the log come first, then the events that are logged before, during and after a restart."""
    logged = [one["event_number"] for one in of.events.list(after=0)]
    keys = [accession(number) for number in range(1, 7)]
    got: list[Any] = []
    with of.events.follow(after=logged[-4]) as events:
        got += [next(events) for _ in range(3)]
        assert [one["event_number"] for one in got] == logged[-3:]
        service.act("happen", keys=",".join(keys[:2]))
        got += [next(events) for _ in range(2)]
        # Events that are logged while no server runs are not lost.
        worker = threading.Thread(target=service.act, args=["restart"])
        worker.start()
        service.act("happen", keys=",".join(keys[2:4]))
        got += [next(events) for _ in range(2)]
        worker.join()
        service.act("happen", keys=",".join(keys[4:]))
        got += [next(events) for _ in range(2)]
        assert events.last_event_id == got[-1]["event_number"]
    assert [one["key"] for one in got[3:]] == keys
    assert len({one["event_number"] for one in got}) == len(got)


def test_events_are_followed_across_a_kill_of_the_server_in_an_event_loop_too(service: Service):
    keys = [accession(number) for number in range(11, 15)]

    async def ask() -> list[Any]:
        import asyncio

        loop = asyncio.get_running_loop()

        def act(what: str, **values: str) -> Any:
            return loop.run_in_executor(None, lambda: service.act(what, **values))

        async with AsyncOpenFilings(service.url, service.keys["full"]) as of:
            last = [one["event_number"] async for one in of.events.list(after=0)][-1]
            async with of.events.follow(after=last) as events:
                await act("happen", keys=",".join(keys[:2]))
                got = [await anext(events) for _ in range(2)]
                restarted = act("restart")
                await act("happen", keys=",".join(keys[2:]))
                got += [await anext(events) for _ in range(2)]
                await restarted
                return got

    assert [one["key"] for one in run(ask())] == keys


def test_a_delivery_of_the_service_passes_verification_and_a_changed_or_foreign_one_does_not(service: Service):
    received: list[tuple[bytes, dict[str, str]]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((body, dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        made = service.act("webhook", url=f"http://127.0.0.1:{server.server_address[1]}/hook")
        service.act("happen", keys=accession(21))
        end = time.monotonic() + 60
        while not received and time.monotonic() < end:
            time.sleep(0.02)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    body, headers = received[0]
    found = verify(body, headers, made["secret"])
    assert found["webhook_id"] == made["webhook_id"]
    assert [one["key"] for one in found["events"]] == [accession(21)]
    assert verify(body, headers, ["whsec_" + "A" * 44, made["secret"]]) == found
    for changed in (body + b" ", body.replace(b"added", b"removed")):
        with pytest.raises(InvalidSignature):
            verify(changed, headers, made["secret"])
    with pytest.raises(InvalidSignature):
        verify(body, headers, "whsec_" + "A" * 44)
    with pytest.raises(InvalidSignature, match="300 seconds"):
        verify(body, headers, made["secret"], clock=lambda: time.time() + 400)


def test_a_delivery_of_a_saved_search_passes_verification_and_one_without_events_or_matches_does_not():
    key = b"k" * 32
    secret = "whsec_" + base64.b64encode(key).decode()

    def verified(body):
        raw = json.dumps(body).encode()
        signed = b"m_1.1767323045." + raw
        signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        headers = {"webhook-id": "m_1", "webhook-timestamp": "1767323045", "webhook-signature": "v1," + signature}
        return verify(raw, headers, secret, clock=lambda: 1767323045)

    found = {"webhook_id": "w", "search": "s", "matches": [{"match_number": 1, "row": {}}], "next_after": 1}
    assert verified(found) == found
    for body in ({"webhook_id": "w"}, {"matches": 1}, []):
        with pytest.raises(InvalidSignature, match="neither events nor matches"):
            verified(body)
