"""Run the fake providers: `python -m tests.agent.fake_provider --port 0 [--script FILE] [--key KEY]`.

The first line printed is `{"url", "urls": {provider: base URL}}`.
"""

import argparse
import json
import threading

from tests.agent.fake_provider import FakeProvider, spoken
from tests.agent.fake_provider.script import script_from
from tests.agent.fake_provider.server import PATHS


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", help="a JSON file: a list of replies, or rules")
    parser.add_argument("--key", help="let only requests with this key in")
    given = parser.parse_args()
    script = script_from(given.script) if given.script else spoken
    with FakeProvider(script, key=given.key, port=given.port) as provider:
        print(json.dumps({"url": provider.address, "urls": {name: provider.url(name) for name in PATHS}}), flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
