"""Secrets taken out of text that is shown, logged or exported.

What is known to be a key (every value in use, every variable named like one) is replaced wherever it stands; what only
looks like one (`sk-…`, `Bearer …`) too. A message that a provider wrote may repeat the key that it refused.
"""

import logging
import os
import re
from collections.abc import Mapping

MASK = "[key]"
SHORTEST = 8  # characters; a shorter value may be an ordinary word
_NAMED = re.compile(r"(?:^|_)(?:API_?KEY|AUTH_?TOKEN|ACCESS_?TOKEN|SECRET(?:_KEY)?)$")
_LOOKS = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|hf|pplx)[-_][\w*.…-]{6,}"
    r"|(?i:\bbearer\s+)[\w.~+/=-]{8,}"
    r"|(?i:\b(?:x-)?api[-_]key\b\W{1,4})[\w.~+/=-]{8,}"
    r"|(?<=://)[^\s/@]+:[^\s/@]+(?=@)"
)
_known: set[str] = set()


def remember(secret: str) -> None:
    """Note a secret that is in use, so that `scrub` takes it out of any text from now on."""
    if len(secret) >= SHORTEST:
        _known.add(secret)


def scrub(text: str, *, environment: Mapping[str, str] = os.environ) -> str:
    """Return `text` with every secret replaced by `[key]`."""
    named = {value for name, value in environment.items() if len(value) >= SHORTEST and _NAMED.search(name.upper())}
    for secret in sorted(_known | named, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return _LOOKS.sub(MASK, text)


class ScrubbedFormatter(logging.Formatter):
    """A log format whose lines, tracebacks included, hold no secret."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line as it is written."""
        return scrub(super().format(record))
