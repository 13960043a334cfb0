"""The API's description says of every operation what it is for, and shows it with an example that is one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from jsonschema_rs import Draft202012Validator

JSON = "application/json"
FILES = ({"type": "object", "additionalProperties": {}}, {"type": "string", "format": "binary"})


def test_every_operation_is_described_and_its_examples_fit_its_schema() -> None:
    found = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    document = json.loads(OpenApiJsonRenderer().render(found))
    assert list(wrong(document)) == []


def wrong(document: dict[str, Any]) -> Iterator[str]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            name = f"{method.upper()} {path}"
            if not (operation["summary"] and operation.get("description")):
                yield f"{name} does not say what it is for"
            for body in bodies(operation):
                yield from (f"{name}: {complaint}" for complaint in complaints(document, body))


def bodies(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """What is sent, and what is given first when all is well; whole files are shown in the guide."""
    good = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    parts = [operation.get("requestBody", {}), *good[:1]]
    found = [part["content"][JSON] for part in parts if JSON in part.get("content", {})]
    return [body for body in found if body["schema"] not in FILES]


def complaints(document: dict[str, Any], body: dict[str, Any]) -> Iterator[str]:
    schema = {**body["schema"], "components": document["components"]}
    if not body.get("examples"):
        yield "there is no example"
    for name, example in body.get("examples", {}).items():
        errors = Draft202012Validator(schema, validate_formats=True).iter_errors(example["value"])
        yield from (f"{name}, {error.instance_path}: {error.message}" for error in errors)
