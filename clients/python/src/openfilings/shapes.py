"""Shapes of answers: which members are decimals, days and moments, and their values in Python."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, NotRequired, Required

from .values import day, decimal, moment

#: A decimal number as text, so that no digit is lost: ``"12.50"``.
DecimalText = Annotated[str, "decimal"]
#: A day as text: ``"2026-07-23"``.
DayText = Annotated[str, "day"]
#: A moment in UTC as text: ``"2026-07-23T14:05:09.120+00:00"``.
MomentText = Annotated[str, "moment"]

Convert = Callable[[Any], Any]


def _long_year(text: Any) -> bool:
    """Tests for a year that Python's ``date`` cannot have (20024, as filed). Such a day stays text."""
    return isinstance(text, str) and len(text.partition("-")[0]) > 4


_VALUES: dict[str, Convert] = {
    "decimal": decimal,
    "day": lambda text: text if _long_year(text) else day(text),
    "moment": lambda text: text if _long_year(text) else moment(text),
}


def native(answer: Any, shape: Any) -> Any:
    """Returns a copy of an answer with ``Decimal``, ``date`` and ``datetime`` in place of their texts.

    :param answer: what a method returned, or a part of it
    :param shape: its class in ``openfilings.models``
    :raises ValueError: if a text is not what its shape says

    Members that the shape does not have, for example of a newer service, stay as they are.
    """
    convert = _converter(shape)
    return answer if convert is None else convert(answer)


def natives(rows: Iterable[Mapping[str, Any]], shape: Any) -> typing.Iterator[dict[str, Any]]:
    """Yields rows as ``native`` returns them."""
    convert = _converter(shape)
    for row in rows:
        yield dict(row) if convert is None else convert(row)


@lru_cache(maxsize=None)
def fields(shape: Any) -> dict[str, Any]:
    """Returns the members of a shape with their types, without ``NotRequired`` and null."""
    hints = typing.get_type_hints(shape, include_extras=True)
    return {name: _bare(hint) for name, hint in hints.items()}


def kind(hint: Any) -> str:
    """Returns what a bare type is: ``decimal``, ``day``, ``moment``, ``int``, ``float``, ``bool``, ``text``, ``other``."""
    if typing.get_origin(hint) is Annotated:
        return str(hint.__metadata__[0])
    if typing.get_origin(hint) is typing.Literal:
        return "text" if all(isinstance(one, str) for one in typing.get_args(hint)) else "other"
    return {str: "text", int: "int", float: "float", bool: "bool"}.get(hint, "other")


def _bare(hint: Any) -> Any:
    while True:
        origin = typing.get_origin(hint)
        if origin in (NotRequired, Required):
            (hint,) = typing.get_args(hint)
        elif origin in (typing.Union, types.UnionType):
            others = [one for one in typing.get_args(hint) if one is not type(None)]
            if len(others) != 1:
                return hint
            (hint,) = others
        else:
            return hint


@lru_cache(maxsize=None)
def _converter(hint: Any) -> Convert | None:
    """Returns the function that converts a value of a type; ``None`` if nothing in it is converted."""
    hint = _bare(hint)
    origin = typing.get_origin(hint)
    if origin is Annotated:
        return _VALUES[hint.__metadata__[0]]
    if origin is list:
        return _each(_converter(typing.get_args(hint)[0]))
    if origin is dict:
        return _each_value(_converter(typing.get_args(hint)[1]))
    if typing.is_typeddict(hint):
        return _members(hint)
    return None


def _each(convert: Convert | None) -> Convert | None:
    if convert is None:
        return None
    each: Convert = convert
    return lambda found: [each(one) for one in found] if isinstance(found, list) else found


def _each_value(convert: Convert | None) -> Convert | None:
    if convert is None:
        return None
    each: Convert = convert
    return lambda found: {name: each(one) for name, one in found.items()} if isinstance(found, dict) else found


def _members(shape: Any) -> Convert | None:
    of = {name: convert for name, hint in fields(shape).items() if (convert := _converter(hint)) is not None}
    if not of:
        return None

    def convert_members(found: Any) -> Any:
        if not isinstance(found, Mapping):
            return found
        return {name: of[name](one) if name in of else one for name, one in found.items()}

    return convert_members
