"""Checks that a webhook delivery comes from the service (Standard Webhooks, version 1)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NotRequired, TypedDict, cast

from .errors import InvalidSignature
from .generated.models import Event

_PREFIX = "whsec_"


class Match(TypedDict):
    """A row that a saved search has found."""

    match_number: int
    found_at: str
    row: dict[str, Any]


class Delivery(TypedDict):
    """The body of a delivery: events in the shape of ``/events``, or matches of a saved search, in their order."""

    webhook_id: str
    events: NotRequired[list[Event]]
    search: NotRequired[dict[str, str]]
    matches: NotRequired[list[Match]]
    next_after: int


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    clock: Callable[[], float] = time.time,
) -> Delivery:
    """Returns a delivery if its signature is right.

    :param body: the bytes of the request as they came, before any parser
    :param headers: of the request, in any case
    :param secret: what ``openfilings webhooks create`` showed, or several while one replaces another
    :param tolerance: how many seconds the delivery may be older or newer than the clock
    :param clock: seconds since 1970
    :raises InvalidSignature: if it was not signed with the secret, was changed, or is too old. Answer such a
        request with 400 and do nothing else.

    A delivery may come twice, with the same header ``webhook-id``.
    """
    raw = body.encode() if isinstance(body, str) else bytes(body)
    found = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    missing = [name for name in names if not found.get(name)]
    if missing:
        raise InvalidSignature(f"the request lacks the header {missing[0]}")
    identifier, timestamp, signatures = (found[name] for name in names)
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise InvalidSignature("webhook-timestamp is not a number of seconds")
    if not abs(clock() - int(timestamp)) <= tolerance:
        raise InvalidSignature(f"the delivery was signed more than {tolerance:g} seconds from now")
    signed = f"{identifier}.{timestamp}.".encode() + raw
    given = [one[3:].encode() for one in signatures.split(" ") if one.startswith("v1,")]
    # All pairs are compared, so that the time does not depend on which one fits.
    fits = [hmac.compare_digest(_signature(key, signed), one) for key in _keys(secret) for one in given]
    if not any(fits):
        raise InvalidSignature("no signature of the request was made with the secret")
    return _delivery(raw)


def _keys(secret: str | Iterable[str]) -> list[bytes]:
    """Returns the keys of secrets. Raises ``ValueError`` if one is malformed; the message does not show it."""
    secrets = [secret] if isinstance(secret, str) else list(secret)
    try:
        keys = [base64.b64decode(one.removeprefix(_PREFIX), validate=True) for one in secrets]
    except binascii.Error:
        keys = []
    # An empty key would make every stranger's signature a valid one.
    if not keys or not all(keys):
        raise ValueError("the secret must be whsec_ followed by base64, as `openfilings webhooks create` shows it")
    return keys


def _signature(key: bytes, signed: bytes) -> bytes:
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _delivery(raw: bytes) -> Delivery:
    try:
        parsed = json.loads(raw)
    except ValueError as error:
        raise InvalidSignature("the body is signed, but is not valid JSON") from error
    # A saved search delivers matches in place of events.
    if not isinstance(parsed, dict) or not any(isinstance(parsed.get(name), list) for name in ("events", "matches")):
        raise InvalidSignature("the body is signed, but has neither events nor matches")
    # The service signed it, so it has the shape that the service documents.
    return cast(Delivery, parsed)
