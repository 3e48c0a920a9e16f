"""Fuzz every route of the OpenAPI description: no answer of 5xx, none that the description does not know.

    python -m benchmarks.server_fuzz [--examples 20]

A server on a small library; requests are made from the description by schemathesis, valid and invalid ones. Streams are
left out, since they have no end to wait for; nothing reaches another machine.
"""

import argparse
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.common import record

from glossator.library.library import Library

STREAMS = ("/events", "/stream")


def main() -> None:
    """Print and record how many requests were made, and what broke."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--examples", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), given.examples)
    print(figures)
    record("server_fuzz", figures)


def measured(folder: Path, examples: int) -> dict[str, Any]:
    """Return the counts of requests, statuses and faults."""
    import schemathesis
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )
    from tests.library.books import island
    from tests.server.serving import served

    checks = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
    statuses: Counter[int] = Counter()
    faults: dict[str, str] = {}
    with Library.open(folder / "library", embedder="none") as library:
        library.add([str(island(folder))])
        with served(library) as web:
            url = f"http://127.0.0.1:{web.port}"
            headers = dict(web.headers)
            known = web.get("/api/list").json["documents"][0]["id"]
            schema = schemathesis.openapi.from_url(f"{url}/api/openapi.json", headers=headers)
            for operation in schema.get_all_operations():
                case_of = operation.ok()
                if case_of.path.endswith(STREAMS):
                    continue

                @settings(
                    max_examples=examples,
                    deadline=None,
                    database=None,
                    derandomize=True,
                    suppress_health_check=list(HealthCheck),
                    phases=[Phase.explicit, Phase.generate],
                )
                @given(case=case_of.as_strategy())
                def one(case: Any) -> None:
                    _aimed(case, known, statuses.total())
                    response = case.call(headers=headers, timeout=60)
                    statuses[response.status_code] += 1
                    case.validate_response(response, checks=checks)

                try:
                    one()
                except Exception as error:
                    faults[case_of.label] = str(error)[:1_500]
    shutil.rmtree(folder / "library", ignore_errors=True)
    return {
        "requests": sum(statuses.values()),
        "statuses": {str(k): v for k, v in sorted(statuses.items())},
        "server_errors": sum(v for k, v in statuses.items() if k >= 500),
        "operations_with_faults": len(faults),
        "faults": faults,
    }


def _aimed(case: Any, document: str, number: int) -> None:
    """Let every second request that names a document name the one that is there, unless it would be removed."""
    if number % 2 or case.method == "DELETE":
        return
    if "document" in (case.path_parameters or {}):
        case.path_parameters["document"] = document
    for part in (case.query, case.body):
        if isinstance(part, dict) and "doc" in part:
            part["doc"] = [document] if isinstance(part["doc"], list) else document


if __name__ == "__main__":
    main()
