"""Values as the API writes them, and as Python has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

#: What a parameter may be. A sequence is a parameter with several values, a mapping is the tree of ``filters``.
Value = str | int | float | bool | Decimal | date | Iterable[Any] | Mapping[str, Any] | None


def decimal(text: str | None) -> Decimal | None:
    """Returns a decimal of the API exactly, or ``None`` for null. Raises ``ValueError`` if it is not a number."""
    if text is None:
        return None
    try:
        found = Decimal(text)
    except (ArithmeticError, TypeError) as error:
        raise ValueError(f"not a decimal number: {text!r}") from error
    if not found.is_finite():
        raise ValueError(f"not a decimal number: {text!r}")
    return found


def day(text: str | None) -> date | None:
    """Returns a day of the API, ``2026-07-23``, or ``None`` for null."""
    return None if text is None else date.fromisoformat(text)


def moment(text: str | None) -> datetime | None:
    """Returns a moment of the API with its time zone, ``2026-07-23T14:05:09.120+00:00``, or ``None`` for null."""
    return None if text is None else datetime.fromisoformat(text)


def _text(name: str, value: Any) -> str:
    """Returns one value of a parameter. Raises ``TypeError`` for what no parameter can be."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, (str, int, float)):
        return str(value)
    raise TypeError(f"{name}: {value!r} cannot be the value of a parameter")


def _quoted(text: str) -> str:
    """Returns one of several values: with a comma or a quote it stands in double quotes."""
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text


def query_of(params: Mapping[str, Value]) -> str:
    """Returns the query string of parameters. ``None`` leaves a parameter out; a sequence repeats it."""
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            pairs.append((name, json.dumps(value, separators=(",", ":"), default=partial(_text, name))))
        elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
            pairs += [(name, _quoted(_text(name, one))) for one in value]
        else:
            pairs.append((name, _text(name, value)))
    return urlencode(pairs, quote_via=quote)


def path_of(template: str, values: Mapping[str, Value]) -> str:
    """Returns a path with its values: ``/companies/{cik}``. Raises ``ValueError`` if a value cannot be in a path."""
    path = template
    for name, value in values.items():
        text = _text(name, value)
        if text in ("", ".", ".."):
            raise ValueError(f"{name}: {text!r} cannot be in a path")
        path = path.replace("{" + name + "}", quote(text, safe=""))
    return path
