"""Rows as a DataFrame of pandas, which is an optional package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from .errors import MissingPackage
from .shapes import fields, kind, natives

if TYPE_CHECKING:
    import pandas

Decimals = Literal["decimal", "float"]

#: Days that ``datetime64[ns]`` can hold.
_FIRST, _LAST = date(1677, 9, 22), date(2262, 4, 10)


def to_pandas(
    rows: Iterable[Mapping[str, Any]],
    shape: Any,
    *,
    decimals: Decimals = "decimal",
    columns: Sequence[str] | None = None,
) -> "pandas.DataFrame":
    """Returns rows as a DataFrame with a type for each column.

    :param shape: class of the rows in ``openfilings.models``
    :param decimals: ``"decimal"`` keeps every digit (``Decimal`` objects); ``"float"`` computes faster
    :param columns: which columns, in which order; all by default, even if there is no row
    :raises MissingPackage: if pandas is not installed

    Days are ``datetime64[ns]``, moments ``datetime64[ns, UTC]``, whole numbers ``Int64``, truth values ``boolean``.
    A column with a day before 1678 or after 2261 has ``date`` objects, since ``datetime64[ns]`` cannot hold it.
    Nested members stay lists and dictionaries.
    """
    pandas = _pandas()
    if decimals not in ("decimal", "float"):
        raise ValueError(f"decimals must be 'decimal' or 'float', not {decimals!r}")
    found = list(natives(rows, shape))
    known = fields(shape)
    names = list(columns) if columns is not None else _names(found, known)
    series = {
        name: _column(pandas, [row.get(name) for row in found], kind(known.get(name)), decimals) for name in names
    }
    return pandas.DataFrame(series, columns=names, index=pandas.RangeIndex(len(found)))


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise MissingPackage(
            "to_pandas needs pandas, which is not installed: pip install pandas, "
            "or on Debian and Ubuntu apt install python3-pandas"
        ) from error
    return pandas


def _names(rows: Sequence[Mapping[str, Any]], known: Mapping[str, Any]) -> list[str]:
    """Returns the members of the shape that occur, then those that it does not know; without rows all of the shape."""
    if not rows:
        return list(known)
    occurring = dict.fromkeys(name for row in rows for name in row)
    return [name for name in known if name in occurring] + [name for name in occurring if name not in known]


def _column(pandas: Any, values: list[Any], of: str, decimals: Decimals) -> Any:
    if of == "decimal" and decimals == "float":
        return pandas.Series([None if one is None else float(one) for one in values], dtype="float64")
    if of == "day":
        fits = all(one is None or (isinstance(one, date) and _FIRST <= one <= _LAST) for one in values)
        return pandas.Series(pandas.to_datetime(values) if fits else values, dtype=None if fits else "object")
    if of == "moment":
        return pandas.Series(pandas.to_datetime(values, utc=True))
    if of == "int" and all(one is None or -(2**63) <= one < 2**63 for one in values):
        return pandas.Series(values, dtype="Int64")
    if of == "bool":
        return pandas.Series(values, dtype="boolean")
    if of == "float":
        return pandas.Series(values, dtype="float64")
    return pandas.Series(values, dtype="object")
