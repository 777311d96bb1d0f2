"""Damaged files, frames and signatures are detected."""

from __future__ import annotations

import base64
import hashlib
import hmac
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import pytest
from conftest import Answer, Hostile, raw, run, sent

from openfilings import (
    CutOff,
    ETags,
    InvalidAnswer,
    InvalidSignature,
    MissingPackage,
    NoConnection,
    OpenFilingsError,
    Retry,
    Settings,
    day,
    decimal,
    models,
    moment,
    native,
    to_pandas,
    verify,
)
from openfilings.etags import Kept
from openfilings.files import CsvCheck, NdjsonRows, Target

ONCE = Settings(retry=Retry(tries=1))
CSV = b'accession,note\r\n1,"a ""quoted"" note\r\n# rows: 1\r\n"\r\n2,\r\n# not loaded: adv: none\r\n# rows: 2\r\n'
NDJSON = b'{"accession":"1"}\n{"accession":"2"}\n{"_end":{"rows":2,"not_loaded":[{"source":"adv","note":"none"}]}}\n'


def downloaded(hostile: Hostile, path: Path) -> list[Any]:
    """Returns what both clients return or raise for a download."""
    answers = list(hostile.answers)
    found: list[Any] = []
    with hostile.client(settings=ONCE) as of:
        try:
            found.append(of.offerings.list().download(path))
        except OpenFilingsError as error:
            found.append(error)
    hostile.answers = answers

    async def ask() -> Any:
        async with hostile.async_client(settings=ONCE) as of:
            return await of.offerings.list().download(path)

    try:
        found.append(run(ask()))
    except OpenFilingsError as error:
        found.append(error)
    return found


NOT_LOADED = b'[{"source":"adv","note":"none"}]' + b" " * 200
#: A Parquet file of which only the end is real: the entries of the metadata, the length of the footer, and the mark.
PARQUET = (
    b"PAR1 pages \x18openfilings.rows\x18\x013 and footer \x18\x16openfilings.not_loaded\x18"
    + bytes([len(NOT_LOADED) % 128 + 128, len(NOT_LOADED) // 128])
    + NOT_LOADED
    + b"\x00\x1c\x18\x10openfilings.rows\x18\x012\x00\x28\x0bopenfilings\x00\x30\x00\x00\x00PAR1"
)


@pytest.mark.parametrize(
    "name, kind, body",
    [
        ("a.csv", "text/csv", CSV),
        ("a.ndjson", "application/x-ndjson", NDJSON),
        ("a.parquet", "application/vnd.apache.parquet", PARQUET),
    ],
)
def test_a_file_that_is_cut_off_anywhere_leaves_nothing_and_an_older_one_stays(hostile, tmp_path, name, kind, body):
    path = tmp_path / name
    path.write_bytes(b"older")
    for length in [*range(0, len(body), 11), len(body) - 1]:
        hostile.answers = [sent(body[:length], kind=kind)]
        errors = downloaded(hostile, path)
        assert [type(error) for error in errors] == [CutOff, CutOff], (length, errors)
    hostile.answers = [sent(body[:20], kind=kind, length=1000)]
    assert [type(error) for error in downloaded(hostile, path)] == [NoConnection] * 2
    assert [one.name for one in tmp_path.iterdir()] == [name] and path.read_bytes() == b"older"
    hostile.answers = [sent(body, kind=kind)]
    for found in downloaded(hostile, path):
        assert (found.rows, found.bytes, found.not_loaded) == (2, len(body), ("adv: none",))
    assert path.read_bytes() == body


def test_two_downloads_to_one_path_at_once_do_not_mix(tmp_path):
    path = tmp_path / "a.csv"
    with Target(path, "csv") as first:
        first.write(CSV[:20])
        with Target(path, "csv") as second:
            second.write(CSV[:30])
            first.write(CSV[20:])
            first.finish()
            assert path.read_bytes() == CSV
            second.write(CSV[30:])
            second.finish()
    assert path.read_bytes() == CSV and [one.name for one in tmp_path.iterdir()] == ["a.csv"]


def test_metadata_of_a_parquet_file_that_cannot_be_read_are_an_error(hostile, tmp_path):
    for wrong in (PARQUET.replace(b'"source"', b'"sourse"'), PARQUET.replace(b'[{"source"', b'[{"source')):
        hostile.answers = [sent(wrong, kind="application/vnd.apache.parquet")]
        assert [type(error) for error in downloaded(hostile, tmp_path / "a.parquet")] == [InvalidAnswer] * 2
    too_long = PARQUET.replace(b"openfilings.rows\x18\x01", b"openfilings.rows\x18\x7f")
    hostile.answers = [sent(too_long, kind="application/vnd.apache.parquet")]
    assert [type(error) for error in downloaded(hostile, tmp_path / "a.parquet")] == [CutOff] * 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answer",
    [
        sent(CSV, kind="text/html"),
        sent({"rows": []}),
        raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + CSV),
    ],
)
def test_a_file_of_another_type_is_refused(hostile: Hostile, tmp_path: Path, answer: Answer):
    hostile.answers = [answer]
    assert [type(error) for error in downloaded(hostile, tmp_path / "a.csv")] == [InvalidAnswer] * 2
    assert list(tmp_path.iterdir()) == []


def test_a_login_page_of_a_proxy_is_not_returned_as_a_feed(hostile: Hostile):
    hostile.answers = [sent(b"<html>Sign in</html>", kind="text/html")] * 4
    for format in ("atom", "jsonfeed"):
        with hostile.client(settings=ONCE) as of, pytest.raises(InvalidAnswer, match="sent text/html, not application"):
            of.formd.list().feed(format)

        async def ask() -> None:
            async with hostile.async_client(settings=ONCE) as of:
                await of.formd.list().feed(format)

        with pytest.raises(InvalidAnswer, match="sent text/html, not application"):
            run(ask())


@pytest.mark.parametrize("line", [b"{", b"5", b'{"_end":5}', b'{"_end":{}}', b"[" * 100_000])
def test_a_damaged_line_is_refused(line: bytes):
    with pytest.raises(InvalidAnswer):
        list(NdjsonRows().feed(line + b"\n"))


def test_the_number_of_rows_in_the_last_line_is_checked():
    for check, body in ((CsvCheck(), CSV.replace(b"# rows: 2", b"# rows: 3")), (NdjsonRows(), NDJSON[18:])):
        with pytest.raises(CutOff):
            list(check.feed(body) or [])
            check.end()


def test_a_file_is_checked_in_pieces_of_any_size():
    for size in (1, 2, 3, 50):
        csv, ndjson, rows = CsvCheck(), NdjsonRows(), []
        for at in range(0, len(CSV), size):
            csv.feed(CSV[at : at + size])
        for at in range(0, len(NDJSON), size):
            rows += ndjson.feed(NDJSON[at : at + size])
        csv.end()
        ndjson.end()
        assert (csv.count, ndjson.count, rows) == (2, 2, [{"accession": "1"}, {"accession": "2"}])


def test_values_are_exact_and_wrong_ones_are_refused():
    assert decimal("12.50") == Decimal("12.50") and str(decimal("0.10")) == "0.10"
    assert decimal(None) is None and day(None) is None and moment(None) is None
    assert day("2026-07-23") == date(2026, 7, 23)
    assert moment("2026-07-23T14:05:09.120+00:00").microsecond == 120_000
    for text in ("", "NaN", "Infinity", "1,5", "x", b"1"):
        with pytest.raises(ValueError):
            decimal(text)


def test_an_answer_is_converted_at_every_depth_and_unknown_members_stay():
    answer: Any = {
        "filing": {"filed_date": "2024-05-01", "total_sold": "1.10", "new_member": "2"},
        "other_filings": [{"filed_date": "20024-05-01"}],
        "more": None,
    }
    found = native(answer, models.FormDDetail)
    assert found["filing"] == {"filed_date": date(2024, 5, 1), "total_sold": Decimal("1.10"), "new_member": "2"}
    assert found["other_filings"] == [{"filed_date": "20024-05-01"}], "no year of Python"
    assert answer["filing"]["total_sold"] == "1.10" and found["more"] is None
    former: Any = {"name": "x", "from": "2024-05-01", "to": None}
    assert native(former, models.CompanyFormerName)["from"] is not former["from"]


def test_a_frame_keeps_days_that_pandas_cannot_have_and_whole_numbers_of_any_size():
    rows: list[Any] = [
        {"filed_date": "0001-01-01", "total_sold": "123456789012345678901234567890.12", "unknown": 1},
        {"filed_date": None, "total_sold": None},
    ]
    frame = to_pandas(rows, models.FormDNoticeRow)
    assert list(frame.columns) == ["filed_date", "total_sold", "unknown"]
    assert frame["filed_date"][0] == date(1, 1, 1) and frame["filed_date"][1] is None
    assert frame["total_sold"][0] == Decimal("123456789012345678901234567890.12")
    events: list[Any] = [{"event_number": 2**70}, {"event_number": 1}]
    assert list(to_pandas(events, models.Event)["event_number"]) == [2**70, 1]
    assert isinstance(frame, pandas.DataFrame)
    with pytest.raises(ValueError, match="decimals"):
        to_pandas(rows, models.FormDNoticeRow, decimals="exact")  # type: ignore[arg-type]


def test_without_pandas_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackage, match="pip install pandas.*python3-pandas") as caught:
        to_pandas([], models.Event)
    assert isinstance(caught.value, ImportError)


def test_cached_answers_have_a_limit_and_the_least_recently_used_is_dropped_first():
    kept = ETags(1000)
    for name in "abcd":
        kept.put(name, Kept("e", b"x" * 250, {}))
    assert kept.get("a") is not None
    kept.put("e", Kept("e", b"x" * 250, {}))
    assert [name for name in "abcde" if kept.get(name)] == ["a", "c", "d", "e"]
    kept.put("a", Kept("e", b"x" * 900, {}))
    assert kept.get("a") is None, "an answer that is too large is not cached, and the former answer is dropped"
    assert len(kept) == 3


SECRET = "whsec_" + base64.b64encode(b"k" * 32).decode()
BODY = b'{"webhook_id":"wh_1","events":[],"next_after":5}'
AT = 1_753_279_509


def headers(body: bytes = BODY, at: str = str(AT), key: bytes = b"k" * 32, **other: str) -> dict[str, str]:
    signature = base64.b64encode(hmac.new(key, f"id_1.{at}.".encode() + body, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "id_1", "Webhook-Timestamp": at, "Webhook-Signature": f"v1,{signature}", **other}


def test_a_signed_delivery_is_returned_and_one_of_several_signatures_is_enough():
    assert verify(BODY, headers(), SECRET, clock=lambda: AT + 299)["next_after"] == 5
    assert verify(BODY.decode(), headers(), [SECRET], clock=lambda: AT)["events"] == []
    several = headers()
    several["Webhook-Signature"] = f"v1a,x v1,AAAA {several['Webhook-Signature']}"
    assert verify(BODY, several, SECRET, clock=lambda: AT)


@pytest.mark.parametrize(
    "body, given",
    [
        (BODY + b" ", headers()),
        (BODY, headers(key=b"other")),
        (BODY, {**headers(), "Webhook-Id": "id_2"}),
        (BODY, {**headers(), "Webhook-Timestamp": str(AT + 1)}),
        (BODY, {**headers(), "Webhook-Signature": ""}),
        (BODY, {**headers(), "Webhook-Signature": "v1,é"}),
        (BODY, {**headers(), "Webhook-Signature": headers()["Webhook-Signature"].replace("v1,", "v2,")}),
        (BODY, {name: value for name, value in headers().items() if name != "Webhook-Id"}),
        (BODY, headers(at=str(AT - 301))),
        (BODY, headers(at=str(AT + 301))),
        (BODY, headers(at="nan")),
        (BODY, headers(at="9" * 400)),
        (b"{", headers(b"{")),
        (b"[]", headers(b"[]")),
        (b'{"events":5}', headers(b'{"events":5}')),
    ],
)
def test_a_delivery_that_is_not_signed_changed_or_late_is_refused(body: bytes, given: dict[str, str]):
    with pytest.raises(InvalidSignature):
        verify(body, given, SECRET, clock=lambda: AT)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_!!!!", [], ["whsec_"]])
def test_a_malformed_secret_is_refused_and_never_shown(secret: Any):
    with pytest.raises(ValueError) as caught:
        verify(BODY, headers(key=b""), secret, clock=lambda: AT)
    assert "!!!!" not in str(caught.value) and not isinstance(caught.value, InvalidSignature)
