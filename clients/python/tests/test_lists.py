"""Lists of the running service: all rows, in both clients, as pages, as values of Python, as frames and as files."""

from __future__ import annotations

import csv
import json
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import pytest
from conftest import Service, run

from openfilings import (
    AsyncOpenFilings,
    BadRequest,
    ETags,
    Forbidden,
    OpenFilings,
    RateLimited,
    Retry,
    Settings,
    Unauthorized,
)


def accessions(rows: Any) -> list[str]:
    return [row["accession"] for row in rows]


def test_a_list_is_walked_through_all_pages_by_both_clients(of: OpenFilings, service: Service):
    pages = list(of.formd.list(limit=5).pages())
    assert [len(page["rows"]) for page in pages[:-1]] == [5] * (len(pages) - 1) and len(pages) > 2
    rows = list(of.formd.list(limit=5))
    assert accessions(rows) == accessions(row for page in pages for row in page["rows"])
    assert len(set(accessions(rows))) == of.formd.list(count="exact").page()["total"]
    assert of.formd.list(limit=5).page() == pages[0]

    async def ask() -> list[Any]:
        async with AsyncOpenFilings(service.url, service.keys["full"]) as later:
            assert await later.formd.list(limit=5) == pages[0]
            return [row async for row in later.formd.list(limit=5)]

    assert run(ask()) == rows


def test_a_long_list_is_walked_in_few_requests(of: OpenFilings):
    requested: list[str] = []
    once = of._session.once

    def noted(request: Any) -> Any:
        requested.append(request.url)
        return once(request)

    of._session.once = noted
    rows = list(of.thirteenf.movers())
    assert len(requested) == 3, "pages of 50, 100 and the rest"
    assert rows == list(of.thirteenf.movers(limit=20)) and len(rows) > 150


def test_each_use_of_a_list_begins_again(of: OpenFilings):
    found = of.formd.list(limit=5)
    assert accessions(found) == accessions(found)
    assert repr(found) == "<list /formd/filings?limit=5>"


def test_decimals_days_and_moments_are_values_of_python_on_request(of: OpenFilings):
    plain, native = next(iter(of.formd.list())), next(of.formd.list().native())
    assert (plain["filed_date"], plain["total_sold"]) == ("2024-05-01", "31400000")
    assert native["filed_date"] == date(2024, 5, 1) and native["total_sold"] == Decimal(31400000)
    event = next(of.events.list(after=0).native())
    assert isinstance(event["learned_at"], datetime) and event["learned_at"].tzinfo == timezone.utc


def test_days_and_decimals_may_be_given_as_values_of_python(of: OpenFilings):
    found = of.formd.list(from_=date(2024, 1, 1), to=date(2024, 12, 31))
    assert accessions(found) == accessions(of.formd.list(from_="2024-01-01", to="2024-12-31")) != []
    tree = {"field": "cik", "op": "eq", "value": "0001930609"}
    assert {row["cik"] for row in of.filings.list(filters=tree)} == {"0001930609"}
    assert list(of.schedule13.list(min_percent=Decimal("7.48")))


@pytest.mark.parametrize("is_async", [False, True])
def test_a_frame_has_all_rows_with_their_types(of: OpenFilings, service: Service, is_async: bool):
    async def ask() -> pandas.DataFrame:
        async with AsyncOpenFilings(service.url, service.keys["full"]) as later:
            return await later.formd.list(limit=5).to_pandas()

    frame = run(ask()) if is_async else of.formd.list(limit=5).to_pandas()
    rows = list(of.formd.list())
    assert list(frame["accession"]) == accessions(rows)
    assert list(frame.columns) == list(rows[0])
    assert str(frame["filed_date"].dtype) == "datetime64[ns]"
    assert str(frame["is_amendment"].dtype) == "boolean"
    exact = [Decimal(row["total_sold"]) for row in rows if row["total_sold"] is not None]
    assert frame["total_sold"].dropna().sum() == sum(exact) and isinstance(sum(exact), Decimal)
    assert frame["exemptions"][0] == rows[0]["exemptions"]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_frame_may_have_fewer_rows_and_chosen_columns(of: OpenFilings, service: Service, is_async: bool):
    async def ask() -> pandas.DataFrame:
        async with AsyncOpenFilings(service.url, service.keys["full"]) as later:
            return await later.formd.list(fields=["cik", "accession"]).to_pandas(rows=3, decimals="float")

    if is_async:
        frame = run(ask())
    else:
        frame = of.formd.list(fields=["cik", "accession"]).to_pandas(rows=3, decimals="float")
    assert frame.shape == (3, 2) and list(frame.columns) == ["cik", "accession"]
    assert str(of.formd.list().to_pandas(decimals="float")["total_sold"].dtype) == "float64"


def test_a_frame_of_pages_and_one_without_rows_have_their_types_too(of: OpenFilings):
    events = of.events.list(after=0, limit=7).to_pandas(rows=20)
    assert len(events) == 20 and str(events["learned_at"].dtype) == "datetime64[ns, UTC]"
    none = of.formd.list(q="no company has this name").to_pandas()
    assert len(none) == 0 and str(none["filed_date"].dtype) == "datetime64[ns]"
    assert list(none.columns) == list(of.formd.list().to_pandas().columns)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("ending", ["csv", "ndjson", "parquet"])
def test_a_file_has_all_rows(of: OpenFilings, service: Service, tmp_path: Path, ending: str, is_async: bool):
    path = tmp_path / f"formd.{ending}"

    async def ask() -> Any:
        async with AsyncOpenFilings(service.url, service.keys["full"]) as later:
            return await later.formd.list(limit=5).download(path)

    found = run(ask()) if is_async else of.formd.list(limit=5).download(path)
    expected = accessions(of.formd.list())
    assert (found.path, found.rows, found.bytes) == (path, len(expected), path.stat().st_size)
    assert found.not_loaded == ()
    if ending == "parquet":
        # Another program reads the file: test/serve/parquet.test.ts.
        assert path.read_bytes()[:4] == b"PAR1"
        return
    lines = path.read_text().splitlines()
    if ending == "csv":
        assert [row["accession"] for row in csv.DictReader(lines[:-1])] == expected
        assert list(pandas.read_csv(path, comment="#")["accession"]) == expected
    else:
        assert [json.loads(line)["accession"] for line in lines[:-1]] == expected
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_list_with_days_is_also_a_feed_with_its_newest_rows(of: OpenFilings, service: Service, is_async: bool):
    async def ask(format: Any) -> Any:
        async with AsyncOpenFilings(service.url, service.keys["full"]) as later:
            return await later.formd.list(limit=3).feed(format)

    def fed(format: Any) -> Any:
        return run(ask(format)) if is_async else of.formd.list(limit=3).feed(format)

    found = fed("jsonfeed")
    assert found.content_type.startswith("application/feed+json")
    items = json.loads(found.content)["items"]
    assert len(items) == 3
    for accession in accessions(of.formd.list(limit=3).page()["rows"]):
        assert any(accession in item["id"] for item in items)
    found = fed("atom")
    assert found.content_type.startswith("application/atom+xml") and found.content.count(b"<entry>") == 3


def test_a_list_without_days_has_no_feed(of: OpenFilings):
    with pytest.raises(BadRequest):
        of.filings.families().feed()


def test_an_unknown_format_of_a_file_is_refused_before_a_request(of: OpenFilings, tmp_path: Path):
    for name in ("a.xlsx", "a"):
        with pytest.raises(ValueError, match="csv or ndjson or parquet"):
            of.formd.list().download(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_answer_that_did_not_change_is_not_sent_again(service: Service):
    kept = ETags()
    with OpenFilings(service.url, service.keys["full"], etags=kept) as of:
        first = list(of.formd.list(limit=5))
        assert len(kept) > 2
        statuses: list[int] = []
        once = of._session.once

        def noted(request: Any) -> Any:
            reply = once(request)
            statuses.append(reply.status)
            return reply

        of._session.once = noted
        assert list(of.formd.list(limit=5)) == first, "the links of the next pages come from the cache too"
        assert set(statuses) == {304}
        assert of.account.me()["scopes"][:2] == ["api", "brochures"]


def test_the_asynchronous_client_caches_answers_too_and_a_changed_copy_does_not_change_the_cache(service: Service):
    async def ask() -> None:
        async with AsyncOpenFilings(service.url, service.keys["full"], etags=ETags()) as of:
            first = await of.formd.list(limit=5).page()
            first["rows"].clear()
            assert len((await of.formd.list(limit=5).page())["rows"]) == 5

    run(ask())


def test_a_document_comes_as_it_was_filed(of: OpenFilings, service: Service):
    found = of.filings.document("0001104659-24-098969", 1)
    assert found.content and "/" in found.content_type

    async def ask() -> Any:
        async with AsyncOpenFilings(service.url, service.keys["full"]) as later:
            return await later.filings.document("0001104659-24-098969", 1)

    assert run(ask()) == found


def test_a_key_without_the_scope_and_an_unknown_key_are_refused(service: Service):
    with OpenFilings(service.url, service.keys["mcp"]) as of, pytest.raises(Forbidden) as forbidden:
        list(of.filings.list())
    assert forbidden.value.code == "missing_scope"
    with OpenFilings(service.url, "of_unknown") as of, pytest.raises(Unauthorized) as unauthorized:
        list(of.filings.list())
    assert unauthorized.value.code == "invalid_api_key" and unauthorized.value.request_id


def test_the_client_waits_for_the_rate_limit_as_long_as_the_service_says(service: Service, waits):
    settings = Settings(retry=Retry(tries=2))
    with OpenFilings(service.url, service.keys["limited"], settings=settings, sleep=waits) as of:
        with pytest.raises(RateLimited) as caught:
            for _ in range(3):
                of.account.me()
    assert caught.value.code == "rate_limit_exceeded"
    # The test does not really wait, so the second try is refused as well.
    assert len(waits.seconds) == 1 and 0 < waits.seconds[0] <= 60.25

    async def ask() -> None:
        async with AsyncOpenFilings(
            service.url, service.keys["limited"], settings=settings, sleep=waits.later
        ) as later:
            await later.account.me()

    with pytest.raises(RateLimited):
        run(ask())
    assert len(waits.seconds) == 2
