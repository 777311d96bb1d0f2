"""Every operation of the document has its method in both clients, and answers its example."""

from __future__ import annotations

import inspect
import keyword
import re
import subprocess
import sys
import types
import typing
from typing import Annotated, Any, NotRequired
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from conftest import PROJECT, ROOT, Service, run

from openfilings import AsyncListing, AsyncOpenFilings, Document, Listing, NotFound, OpenFilings, models, native

NAMES = {
    operation: (group, method, rows)
    for operation, group, method, rows in (
        line.split("\t") for line in (ROOT / "clients" / "names.tsv").read_text().splitlines()[1:]
    )
}


def operations(document: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    return {item["get"]["operationId"]: (path, item["get"]) for path, item in document["paths"].items()}


def python_name(wire: str) -> str:
    name = re.sub(r"(?<=[a-z])([A-Z])", lambda found: "_" + found[1].lower(), wire)
    return name + "_" if keyword.iskeyword(name) else name


def call_of(of: Any, name: str, path: str, example: str) -> Any:
    """Calls the method of an operation with the parameter values of an example address."""
    group, method, _ = NAMES[name]
    parts = urlsplit(example)
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape("/v1" + path))
    in_path = re.fullmatch(pattern, parts.path)
    assert in_path, (example, path)
    given: dict[str, Any] = {python_name(wire): unquote(value) for wire, value in in_path.groupdict().items()}
    for wire, value in parse_qsl(parts.query, keep_blank_values=True):
        given[python_name(wire)] = value
    return getattr(getattr(of, group), method)(**given)


def test_generated_files_agree_with_the_document_and_the_names():
    checked = subprocess.run([sys.executable, PROJECT / "generate.py", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_every_operation_has_its_method_with_all_its_parameters_and_no_other_method_is_there(document):
    found = operations(document)
    assert len(found) > 80
    resolve = document["components"]["parameters"]
    for client in (OpenFilings("http://x", "key"), AsyncOpenFilings("http://x", "key")):
        methods = {
            (group, name)
            for group, of in vars(client).items()
            if not group.startswith("_")
            for name, _ in inspect.getmembers(of, inspect.ismethod)
            if not name.startswith("_")
        }
        assert methods == {(group, method) for group, method, _ in NAMES.values()} | {("events", "follow")}
        for operation, (path, item) in found.items():
            group, method, _ = NAMES[operation]
            parameters = [resolve[one["$ref"].split("/")[-1]] if "$ref" in one else one for one in item["parameters"]]
            names = [one["name"] for one in parameters if one["in"] != "header" and one["name"] != "format"]
            signature = inspect.signature(getattr(getattr(client, group), method))
            assert list(signature.parameters) == sorted(
                [python_name(name) for name in names], key=list(signature.parameters).index
            )
            required = [python_name(one["name"]) for one in parameters if one["required"]]
            assert [name for name, one in signature.parameters.items() if one.default is one.empty] == required


SIMPLE: dict[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (int, float),
    bool: (bool,),
    type(None): (type(None),),
}


def fault(value: Any, hint: Any, place: str) -> str | None:
    """Returns where a value is not of its type, or ``None``."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Annotated, NotRequired):
        return fault(value, inner[0], place)
    if origin in (typing.Union, types.UnionType):
        return None if any(fault(value, one, place) is None for one in inner) else f"{place}: {value!r} is not {hint}"
    if origin is typing.Literal:
        return None if value in inner else f"{place}: {value!r} is not one of {inner}"
    if origin is list:
        parts = [(one, inner[0], f"{place}[]") for one in value] if isinstance(value, list) else None
    elif origin is dict:
        parts = [(one, inner[1], f"{place}.{key}") for key, one in value.items()] if isinstance(value, dict) else None
    elif typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint, include_extras=True)
        if not isinstance(value, dict):
            return f"{place}: {value!r} is not an object"
        missing = [key for key, of in hints.items() if key not in value and typing.get_origin(of) is not NotRequired]
        unknown = [key for key in value if key not in hints]
        if missing or unknown:
            return f"{place}: lacks {missing}, has {unknown}"
        parts = [(one, hints[key], f"{place}.{key}") for key, one in value.items()]
    elif hint is Any:
        return None
    else:
        fits = isinstance(value, SIMPLE[hint]) and (hint is bool or not isinstance(value, bool))
        return None if fits else f"{place}: {value!r} is not {hint}"
    if parts is None:
        return f"{place}: {value!r} is not {hint}"
    return next((found for part in parts if (found := fault(*part)) is not None), None)


def check(name: str, found: Any, shape: Any) -> None:
    """Checks that an answer is of its type, and that it can be converted."""
    if isinstance(found, Document):
        assert found.content and found.content_type
        return
    assert fault(found, shape, name) is None
    assert native(found, shape)


def test_every_operation_answers_its_example(of: OpenFilings, document):
    called = 0
    for name, (path, item) in operations(document).items():
        found = call_of(of, name, path, item["x-example"])
        schema = item["responses"]["200"]["content"].get("application/json", {}).get("schema", {})
        # One operation answers an array.
        shape = getattr(models, schema["$ref"].split("/")[-1]) if "$ref" in schema else list[models.AdviserMatch]
        if isinstance(found, Listing):
            assert NAMES[name][2] != "-", name
            page = found.page()
            check(name, page, shape)
            assert found._call.operation.rows(page), f"the example of {name} has rows"
        else:
            assert NAMES[name][2] == "-", name
            check(name, found, shape)
        called += 1
    assert called == len(NAMES)


def test_every_operation_answers_its_example_in_an_event_loop_too(service: Service, document):
    async def ask() -> int:
        called = 0
        async with AsyncOpenFilings(service.url, service.keys["full"]) as of:
            for name, (path, item) in operations(document).items():
                found = call_of(of, name, path, item["x-example"])
                found = await (found.page() if isinstance(found, AsyncListing) else found)
                assert found, name
                called += 1
        return called

    assert run(ask()) == len(NAMES)


@pytest.mark.parametrize("name", ["filing", "edgar_doc"])
def test_an_unknown_filing_or_document_is_an_error_with_its_code(of: OpenFilings, name):
    with pytest.raises(NotFound) as caught:
        if name == "filing":
            of.filings.get("9999999999-99-999999")
        else:
            of.filings.document("9999999999-99-999999", 1)
    assert caught.value.code in ("not_found", "filing_unknown") and caught.value.request_id
