"""A failed or malformed answer raises an exception that says what is wrong, within bounded time."""

from __future__ import annotations

import asyncio
import gzip
import time
from email.utils import format_datetime
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler
from typing import Any

import httpx
import pytest
from conftest import Answer, Hostile, Waits, raw, run, sent

from openfilings import (
    ApiError,
    AsyncOpenFilings,
    BadRequest,
    Forbidden,
    InvalidAnswer,
    Limits,
    NoConnection,
    NotFound,
    OpenFilings,
    RateLimited,
    Retry,
    ServerError,
    Settings,
    TimedOut,
    Timeouts,
    Unauthorized,
)
from openfilings.plan import Request

ME = {"keyId": "k", "uid": "u", "scopes": ["api"], "limits": {}}
ONCE = Settings(retry=Retry(tries=1))


def both(hostile: Hostile, waits: Waits, settings: Settings = Settings()) -> list[Any]:
    """Returns the results of ``account.me`` in both clients, or their exceptions. Each client gets the same answers."""
    answers = list(hostile.answers)
    found: list[Any] = []
    with hostile.client(settings=settings, sleep=waits) as of:
        try:
            found.append(of.account.me())
        except Exception as error:
            found.append(error)
    hostile.answers = answers

    async def ask() -> Any:
        async with hostile.async_client(settings=settings, sleep=waits.later) as of:
            return await of.account.me()

    try:
        found.append(run(ask()))
    except Exception as error:
        found.append(error)
    return found


def raised(hostile: Hostile, waits: Waits, kind: type[Exception], settings: Settings = ONCE) -> Any:
    """Returns the exception of the first client. Both clients must raise exactly this class, with the same text."""
    first, second = both(hostile, waits, settings)
    assert type(first) is kind, repr(first)
    assert type(second) is kind and str(second) == str(first), repr(second)
    return first


@pytest.mark.parametrize(
    "status, kind",
    [
        (400, BadRequest),
        (401, Unauthorized),
        (403, Forbidden),
        (404, NotFound),
        (406, BadRequest),
        (429, RateLimited),
        (500, ServerError),
        (503, ServerError),
    ],
)
def test_an_error_has_status_code_message_and_request_id(hostile, waits, status, kind):
    hostile.answers = [sent({"error": "a sentence", "code": "a_word"}, status, X_Request_Id="r-1")]
    error = raised(hostile, waits, kind)
    assert isinstance(error, ApiError)
    assert (error.status, error.code, error.message, error.request_id) == (status, "a_word", "a sentence", "r-1")
    assert str(error) == f"{status} [a_word]: a sentence (request r-1)"


@pytest.mark.parametrize("body", ["<h1>Bad gateway</h1>", "", "[1]", '{"error": 5, "code": null}', "[" * 100_000])
def test_an_error_of_a_proxy_keeps_its_status_and_has_no_code(hostile, waits, body):
    hostile.answers = [sent(body, 502, "text/html")]
    error = raised(hostile, waits, ServerError)
    assert (error.status, error.code) == (502, "")
    assert len(error.message) <= 300


@pytest.mark.parametrize("body", ['{"keyId": "k', "", "nonsense", '{"a": NaN}', "[" * 100_000, '"text"', b"\xff\xfe{}"])
def test_json_that_is_cut_off_or_damaged_is_refused(hostile, waits, body):
    hostile.answers = [sent(body)]
    assert "/v1/me" in str(raised(hostile, waits, InvalidAnswer))


@pytest.mark.parametrize("kind", ["text/html", "text/plain; charset=utf-8", "application/problem+json", ""])
def test_another_content_type_is_refused(hostile, waits, kind):
    hostile.answers = [sent(ME, kind=kind)]
    raised(hostile, waits, InvalidAnswer)


@pytest.mark.parametrize("status", [201, 204, 206, 304])
def test_a_status_that_was_not_requested_is_refused(hostile, waits, status):
    hostile.answers = [sent("" if status in (204, 304) else ME, status)]
    assert str(status) in str(raised(hostile, waits, InvalidAnswer))
    with hostile.client() as of, pytest.raises(InvalidAnswer):
        next(of.events.follow(after=0))


def test_a_redirect_is_not_followed_so_the_key_is_not_sent_elsewhere(hostile, waits):
    hostile.answers = [sent("", 302, Location="http://127.0.0.1:1/elsewhere")]
    assert "redirects are not followed" in str(raised(hostile, waits, InvalidAnswer))


@pytest.mark.parametrize(
    "answer",
    [
        sent('{"keyId": "k', length=100),
        raw(""),
        raw('HTTP/1.1 200 OK\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n5\n{"a":'),
        raw("no http at all\n\n"),
    ],
)
def test_a_connection_that_is_cut_is_tried_again_and_then_reported(hostile, waits, answer):
    hostile.answers = [answer]
    raised(hostile, waits, NoConnection, Settings(retry=Retry(tries=3)))
    assert len(hostile.requests) == 6
    assert waits.seconds == [0.5, 1.0] * 2
    hostile.answers = [answer, sent(ME)]
    assert both(hostile, waits) == [ME, ME]


def test_a_service_that_cannot_be_reached_is_reported(waits):
    with OpenFilings("http://127.0.0.1:9", "key", sleep=waits, settings=Settings(retry=Retry(tries=2))) as of:
        with pytest.raises(NoConnection):
            of.account.me()
    assert len(waits.seconds) == 1


def test_retry_after_is_waited_for(hostile, waits):
    hostile.answers = [sent({}, 429, Retry_After="7"), sent({}, 503, Retry_After="3"), sent(ME)]
    assert both(hostile, waits) == [ME, ME]
    assert waits.seconds == [7.125, 3.125] * 2


@pytest.mark.parametrize("code", ["query_too_expensive", "count_too_expensive", "list_not_loaded"])
def test_an_error_that_the_same_request_would_get_again_is_not_tried_again(hostile, waits, code):
    hostile.answers = [sent({"error": "stopped", "code": code}, 503, Retry_After="30"), sent(ME)]
    error = raised(hostile, waits, ServerError, Settings())
    assert error.code == code
    assert waits.seconds == []


def test_retry_after_may_be_a_date(hostile, waits):
    now = datetime(2026, 7, 23, 12, 0, 0, tzinfo=timezone.utc)
    at = {"Date": format_datetime(now, True), "Retry_After": format_datetime(now + timedelta(seconds=20), True)}
    hostile.answers = [sent({}, 503, **at), sent(ME)]
    assert both(hostile, waits) == [ME, ME]
    assert waits.seconds == [20.125] * 2


@pytest.mark.parametrize("stated", ["9" * 400, "3600", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_retry_after_that_is_too_long_is_raised_at_once(hostile, waits, stated):
    hostile.answers = [sent({}, 429, Retry_After=stated)]
    error = raised(hostile, waits, RateLimited, Settings())
    assert error.retry_after > 65
    assert waits.seconds == []


def test_an_endless_retry_after_is_obeyed_up_to_the_limits_of_tries_and_time(hostile, waits):
    hostile.answers = [sent({}, 429, Retry_After="1")]
    raised(hostile, waits, RateLimited, Settings())
    assert len(waits.seconds) == 2 * 4
    waits.seconds.clear()
    hostile.answers = [sent({}, 429, Retry_After="60")]
    raised(hostile, waits, RateLimited, Settings(retry=Retry(tries=100)))
    assert len(waits.seconds) == 2 * 3, "three minutes in all"


@pytest.mark.parametrize("stated", ["-5", "soon", "", "1e3", "0x10"])
def test_an_invalid_retry_after_is_replaced_by_a_wait_that_doubles(hostile, waits, stated):
    hostile.answers = [sent({}, 503, Retry_After=stated)]
    raised(hostile, waits, ServerError, Settings(retry=Retry(tries=4)))
    assert waits.seconds == [0.5, 1.0, 2.0] * 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500])
def test_a_status_that_is_not_temporary_is_not_tried_again(hostile, waits, status):
    hostile.answers = [sent({"error": "x", "code": "y"}, status, Retry_After="1")]
    both(hostile, waits)
    assert len(hostile.requests) == 2 and waits.seconds == []


def _slowly(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    for _ in range(400):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.01)


def _never(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(2)


def test_a_server_that_sends_nothing_causes_a_timeout(hostile, waits):
    hostile.answers = [_never]
    raised(hostile, waits, TimedOut, Settings(timeouts=Timeouts(read=0.1), retry=Retry(tries=1)))


def test_a_server_that_sends_a_byte_now_and_then_causes_a_timeout_too(hostile, waits):
    hostile.answers = [_slowly]
    raised(hostile, waits, TimedOut, Settings(timeouts=Timeouts(answer=0.2), retry=Retry(tries=1)))


def test_an_answer_that_is_too_large_is_refused_also_if_it_was_compressed(hostile, waits):
    small = Settings(limits=Limits(answer=1000), retry=Retry(tries=1))
    hostile.answers = [sent(b" " * 2000)]
    raised(hostile, waits, InvalidAnswer, small)
    hostile.answers = [sent(gzip.compress(b" " * 2_000_000), Content_Encoding="gzip")]
    raised(hostile, waits, InvalidAnswer, small)
    hostile.answers = [sent(b"not gzip", Content_Encoding="gzip")]
    raised(hostile, waits, InvalidAnswer, small)


def page(rows: list[dict[str, Any]], link: str | None = None) -> Answer:
    return sent({"rows": rows, "next_cursor": None}, **({"Link": link} if link else {}))


def test_a_next_page_on_another_host_or_path_gets_no_request_there(hostile, waits):
    for link in ("<http://example.com/v1/feed?cursor=a>", "<//example.com/>", "</v1/me>", "<>"):
        hostile.requests.clear()
        hostile.answers = [page([{"accession": "a"}], f'{link}; rel="next"')]
        with hostile.client(settings=ONCE) as of:
            if link.startswith("<http"):
                # Only the query is taken from the link, so this one leads to the same service.
                hostile.answers.append(page([{"accession": "b"}]))
                assert [row["accession"] for row in of.offerings.list()] == ["a", "b"]
            else:
                with pytest.raises(InvalidAnswer):
                    list(of.offerings.list())
        assert all(path.startswith("/v1/feed") for path, _ in hostile.requests)


def test_a_page_that_names_itself_as_the_next_is_refused(hostile):
    hostile.answers = [page([], '</v1/feed?limit=2>; rel="next"')]
    with hostile.client() as of, pytest.raises(InvalidAnswer):
        list(of.offerings.list(limit=2))
    assert len(hostile.requests) == 1


def formd(following: str | None = None) -> Answer:
    return page([{"accession": following or "last"}], f'</v1/formd/filings?{following}>; rel="next"' if following else None)


def asked(hostile: Any) -> list[str]:
    found = [path.removeprefix("/v1/formd/filings") for path, _ in hostile.requests]
    hostile.requests.clear()
    return found


def walked(hostile: Any, is_async: bool, **query: Any) -> int:
    async def ask() -> int:
        async with hostile.async_client(settings=ONCE) as of:
            return len([row async for row in of.formd.list(**query)])

    if is_async:
        return run(ask())
    with hostile.client(settings=ONCE) as of:
        return len(list(of.formd.list(**query)))


@pytest.mark.parametrize("is_async", [False, True])
def test_a_walk_begins_with_the_default_size_and_continues_with_the_largest(hostile, is_async):
    hostile.answers = [formd("cursor=a"), formd("limit=200&cursor=b"), formd()]
    assert walked(hostile, is_async) == 3
    assert asked(hostile) == ["", "?cursor=a&limit=200", "?limit=200&cursor=b"]
    # A limit of the caller is the size of all pages.
    hostile.answers = [formd("cursor=a"), formd("cursor=b"), formd()]
    assert walked(hostile, is_async, limit=7) == 3
    assert asked(hostile) == ["?limit=7", "?cursor=a", "?cursor=b"]
    # The default size of this list is the largest.
    hostile.answers = [page([], '</v1/feed?cursor=a>; rel="next"'), page([])]
    with hostile.client() as of:
        assert list(of.offerings.list()) == []
    assert asked(hostile) == ["/v1/feed", "/v1/feed?cursor=a"]


TOO_LARGE = [
    sent({"error": "limit: must be at most 100", "code": "invalid_parameter"}, 400),
    sent({"error": "the query was too expensive", "code": "query_too_expensive"}, 503),
]


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("refused", TOO_LARGE)
def test_a_page_whose_size_is_refused_is_requested_again_with_the_default_size_as_are_all_later_pages(
    hostile, refused, is_async
):
    hostile.answers = [formd("cursor=a"), refused, formd("cursor=b"), formd("cursor=c"), formd()]
    assert walked(hostile, is_async) == 4
    assert asked(hostile) == ["", "?cursor=a&limit=200", "?cursor=a", "?cursor=b", "?cursor=c"]
    # A page of the default size is refused for another reason.
    hostile.answers = [formd("cursor=a"), refused]
    with pytest.raises(ApiError):
        walked(hostile, is_async)
    assert asked(hostile) == ["", "?cursor=a&limit=200", "?cursor=a"]


def test_any_other_error_of_a_larger_page_is_raised_at_once(hostile):
    hostile.answers = [formd("cursor=a"), sent({"error": "cursor: unknown", "code": "invalid_cursor"}, 400)]
    with pytest.raises(BadRequest):
        walked(hostile, False)
    assert len(asked(hostile)) == 2


def test_a_page_that_names_itself_in_another_size_as_the_next_is_refused(hostile):
    hostile.answers = [formd("cursor=a")]
    with pytest.raises(InvalidAnswer):
        walked(hostile, False)
    assert asked(hostile) == ["", "?cursor=a&limit=200"]


def test_links_with_another_relation_are_not_the_next_page(hostile):
    hostile.answers = [page([{"accession": "a"}], '</v1/feed?cursor=a>; rel="prev", </v1/feed?cursor=b>; rel="nextly"')]
    with hostile.client() as of:
        assert len(list(of.offerings.list())) == 1


def test_a_list_without_rows_is_refused(hostile):
    for body in ({}, {"rows": 5}, []):
        hostile.answers = [sent(body)]
        with hostile.client() as of, pytest.raises(InvalidAnswer):
            list(of.offerings.list())


def test_the_key_is_sent_in_a_header_and_shown_nowhere(hostile, waits):
    hostile.answers = [sent({}, 500)]
    with OpenFilings(hostile.url, "secret-key", settings=ONCE) as of:
        with pytest.raises(ServerError) as caught:
            of.account.me()
        assert "secret" not in repr(of) + str(caught.value) + repr(of.account)
    path, headers = hostile.requests[0]
    assert headers["x-api-key"] == "secret-key" and "secret" not in path
    assert headers["user-agent"].startswith("openfilings-python/")
    for key in ("two\nlines", "sécret", "a b"):
        with pytest.raises(ValueError) as refused:
            OpenFilings(hostile.url, key)
        assert key not in str(refused.value)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_login_of_netrc_and_cookies_of_answers_are_not_sent(hostile, monkeypatch, tmp_path, is_async):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    following = '</v1/formd/filings?cursor=a>; rel="next"'
    hostile.answers = [sent({"rows": []}, Set_Cookie="a=b", Link=following), page([])]
    assert walked(hostile, is_async) == 0
    assert len(hostile.requests) == 2
    for _, headers in hostile.requests:
        assert headers["x-api-key"] == "key" and not {"authorization", "cookie"} & set(headers)


@pytest.mark.parametrize("is_async", [False, True])
def test_proxies_of_the_environment_are_used_without_a_login_of_netrc(hostile, monkeypatch, tmp_path, is_async):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine filings.example login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("http_proxy", hostile.url)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    following = '</v1/formd/filings?cursor=a>; rel="next"'
    hostile.answers = [sent({"rows": []}, Set_Cookie="a=b", Link=following), page([]), page([])]

    async def through(base: str) -> None:
        async with AsyncOpenFilings(base, "key") as client:
            assert [row async for row in client.formd.list()] == []

    for base in ("http://filings.example", hostile.url):
        if is_async:
            run(through(base))
        else:
            with OpenFilings(base, "key") as client:
                assert list(client.formd.list()) == []
    assert [path for path, _ in hostile.requests] == [
        "http://filings.example/v1/formd/filings",
        "http://filings.example/v1/formd/filings?cursor=a&limit=200",
        "/v1/formd/filings",
    ]
    for _, headers in hostile.requests:
        assert headers["x-api-key"] == "key" and not {"authorization", "cookie"} & set(headers)


@pytest.mark.parametrize("base", ["https://Filings.example.com:443/api/v1/", "http://127.0.0.1:8080", "http://[::1]:81"])
def test_every_address_is_requested_as_httpx_reads_it(base):
    with OpenFilings(base, "key", transport=httpx.MockTransport(lambda request: httpx.Response(404))) as of:
        session = of._session
        plain = [session.url("/filings"), session.url("/feed", "q=a%20b&c=%2F/?:@!$'()*+,;=~"), session.url("/a/../b%2f")]
        odd = [session.url("/ä b"), session.url("/a#b", "c=d"), session.url("/a", "q=\u2028é[]"), "http://other.example/v1/a"]
        for address in [*plain, *odd]:
            found, expected = session.built(Request(address)), httpx.URL(address)
            assert (found.url, found.url.raw_path) == (expected, expected.raw_path)
        assert all(isinstance(session._url(address), httpx.URL) for address in plain)
        assert session.built(Request(plain[0])).headers["host"] == httpx.Request("GET", plain[0]).headers["host"]


def test_a_key_and_an_address_are_needed(monkeypatch):
    monkeypatch.delenv("OPENFILINGS_KEY", raising=False)
    with pytest.raises(ValueError, match="OPENFILINGS_KEY"):
        OpenFilings()
    for address in ("ftp://x", "filings.example.com", "http://", "http://x/?a=b"):
        with pytest.raises(ValueError, match="not the address"):
            AsyncOpenFilings(address, "key")


def test_address_and_key_may_come_from_the_environment(hostile, monkeypatch):
    monkeypatch.setenv("OPENFILINGS_URL", hostile.url + "/v1/")
    monkeypatch.setenv("OPENFILINGS_KEY", "from-environment")
    hostile.answers = [sent(ME)]
    with OpenFilings() as of:
        assert of.account.me() == ME
    assert hostile.requests[0][0] == "/v1/me" and hostile.requests[0][1]["x-api-key"] == "from-environment"


def test_values_that_cannot_be_in_an_address_send_nothing(hostile):
    with hostile.client() as of:
        for value in ("", ".", ".."):
            with pytest.raises(ValueError):
                of.companies.get(value)
        for wrong in (lambda: of.companies.get(None), lambda: of.offerings.list(state=[None]).page()):
            with pytest.raises(TypeError, match="^(cik|state): None cannot be the value of a parameter$"):
                wrong()
        with pytest.raises(TypeError, match="^filters: <object"):
            of.filings.list(filters={"value": object()}).page()
        for path in ("http://example.com/", "//example.com/", "filings"):
            with pytest.raises(ValueError):
                of.call(path)
    assert hostile.requests == []


def test_values_are_encoded_as_the_service_reads_them(hostile):
    hostile.answers = [page([])]
    with hostile.client() as of:
        list(of.offerings.list(state=["NY", "CA"], industry=["a, b", 'say "x"'], q="a&b=c#d é", limit=5))
        of.call("/v1/companies/a%2Fb", {"x": None, "y": True})
        hostile.answers = [sent({})]
        of.companies.get("../me?x=1")
    assert [path for path, _ in hostile.requests] == [
        "/v1/feed?q=a%26b%3Dc%23d%20%C3%A9&state=NY&state=CA&industry=%22a%2C%20b%22&industry=%22say%20%22%22x%22%22%22&limit=5",
        "/v1/companies/a%2Fb?y=true",
        "/v1/companies/..%2Fme%3Fx%3D1",
    ]


def test_a_request_of_the_asynchronous_client_can_be_cancelled(hostile):
    hostile.answers = [_never]

    async def ask() -> None:
        async with hostile.async_client() as of:
            await asyncio.wait_for(of.account.me(), 0.1)

    with pytest.raises(asyncio.TimeoutError):
        run(ask())


def test_a_transport_of_the_caller_is_used():
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json={"path": request.url.path}))
    with OpenFilings("http://service", "key", transport=transport) as of:
        assert of.call("/me") == {"path": "/v1/me"}


@pytest.mark.parametrize(
    ("address", "compressed"),
    [
        ("http://localhost:8080", False),
        ("http://127.0.0.1:8080", False),
        ("http://[::1]:8080", False),
        ("http://127.0.0.1.example.com", True),
        ("http://10.0.0.1", True),
    ],
)
def test_only_answers_of_a_service_on_this_machine_are_requested_without_compression(address, compressed):
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers["accept-encoding"])
        return httpx.Response(200, json=ME)

    with OpenFilings(address, "key", transport=httpx.MockTransport(answer)) as of:
        of.account.me()
    assert ("gzip" in asked[0]) == compressed
