"""In both clients, a walk requests the next page while the caller uses a page."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Answer, Hostile, run, sent

from openfilings import ApiError, InvalidAnswer, Retry, Settings

ONCE = Settings(retry=Retry(tries=1))
#: Time limit in seconds, which only a hang reaches.
HANGS = 30.0


def page(name: str, cursor: str | None) -> Answer:
    link = {"Link": f'</v1/feed?cursor={cursor}>; rel="next"'} if cursor else {}
    return sent({"rows": [{"accession": name}], "next_cursor": cursor}, **link)


def pages(count: int) -> list[Answer]:
    return [page(str(n), str(n + 1) if n < count else None) for n in range(1, count + 1)]


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


async def later_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS
    while not is_so():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)


def threads_of_walks() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "openfilings-ahead"]


@pytest.mark.parametrize("is_async", [False, True])
def test_from_the_second_page_on_one_more_page_is_requested_while_a_page_is_used(hostile: Hostile, is_async: bool):
    hostile.answers = pages(5)
    # The number of requests that have arrived while the caller uses page 1, 2, 3, 4 and 5.
    expected = [1, 3, 4, 5, 5]

    async def ask() -> list[str]:
        found = []
        async with hostile.async_client() as of:
            async for row in of.offerings.list():
                await later_until(lambda: len(hostile.requests) >= expected[len(found)])
                assert len(hostile.requests) == expected[len(found)]
                found.append(row["accession"])
        return found

    def block() -> list[str]:
        found = []
        with hostile.client() as of:
            for row in of.offerings.list():
                until(lambda: len(hostile.requests) >= expected[len(found)])
                assert len(hostile.requests) == expected[len(found)]
                found.append(row["accession"])
        return found

    assert (run(ask()) if is_async else block()) == ["1", "2", "3", "4", "5"]
    until(lambda: threads_of_walks() == [])


def test_a_loop_that_ends_in_the_first_page_or_with_the_last_starts_no_thread(hostile: Hostile):
    hostile.answers = [page("1", "2")]
    with hostile.client() as of:
        for _ in of.offerings.list():
            break
        hostile.answers = [page("1", None)]
        assert len(list(of.offerings.list())) == 1
        assert threads_of_walks() == []
    assert len(hostile.requests) == 2


@pytest.mark.parametrize("is_async", [False, True])
def test_a_loop_that_ends_early_leaves_nothing_behind_while_a_page_is_on_its_way(hostile: Hostile, is_async: bool):
    released = threading.Event()

    def late(_: Any) -> None:
        assert released.wait(HANGS)

    hostile.answers = [page("1", "2"), page("2", "3"), late]

    async def ask() -> None:
        async with hostile.async_client() as of:
            rows = of.offerings.list().__aiter__()
            assert [(await anext(rows))["accession"] for _ in range(2)] == ["1", "2"]
            await later_until(lambda: len(hostile.requests) == 3)
            await rows.aclose()  # type: ignore[attr-defined]
            # The two tasks are those of the test itself.
            assert len(asyncio.all_tasks()) == 2

    if is_async:
        run(ask())
        released.set()
        return
    with hostile.client() as of:
        rows = iter(of.offerings.list())
        assert [next(rows)["accession"] for _ in range(2)] == ["1", "2"]
        until(lambda: len(hostile.requests) == 3)
        rows.close()  # type: ignore[attr-defined]
        # The caller continues at once. The thread ends when its request fails, and does not repeat the request.
        assert len(threads_of_walks()) == 1
        released.set()
        until(lambda: threads_of_walks() == [])
        assert len(hostile.requests) == 3
        hostile.answers = [page("1", None)]
        assert len(list(of.offerings.list())) == 1


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(
    ("third", "error"),
    [
        (sent({"error": "no such cursor", "code": "invalid_cursor"}, 400), ApiError),
        (sent(b"<html>", kind="text/html"), InvalidAnswer),
        (page("3", "3"), InvalidAnswer),
    ],
)
def test_an_error_is_raised_after_all_rows_before_it(
    hostile: Hostile, is_async: bool, third: Answer, error: type[Exception]
):
    hostile.answers = [page("1", "2"), page("2", "3"), third]
    found: list[str] = []

    async def ask() -> None:
        async with hostile.async_client(settings=ONCE) as of:
            async for row in of.offerings.list():
                found.append(row["accession"])

    with pytest.raises(error):
        if is_async:
            run(ask())
        else:
            with hostile.client(settings=ONCE) as of:
                for row in of.offerings.list():
                    found.append(row["accession"])
    assert found[:2] == ["1", "2"]
    assert len(hostile.requests) == 3


def test_a_client_that_is_closed_during_a_walk_ends_the_thread(hostile: Hostile):
    hostile.answers = pages(9)
    with hostile.client(settings=ONCE) as of:
        rows = iter(of.offerings.list())
        assert [next(rows)["accession"] for _ in range(2)] == ["1", "2"]
        until(lambda: len(hostile.requests) == 3)
    rows.close()  # type: ignore[attr-defined]
    until(lambda: threads_of_walks() == [])
