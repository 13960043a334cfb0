"""Text and JSON in the one form that is stored, hashed and compared, the same on every database."""

from __future__ import annotations

import hashlib
import json
import math
from json.encoder import encode_basestring
from typing import Any

NUL_SHOWN = "\u2400"
SURROGATE_SHOWN = "\ufffd"


def clean_text(text: str) -> str:
    """The text with NUL and lone surrogates visibly replaced: neither can be stored on both databases."""
    if "\x00" in text:
        text = text.replace("\x00", NUL_SHOWN)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Surrogate pairs become the character they mean; what stands alone becomes U+FFFD.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def canonical_json(value: Any) -> str:
    """Sorted, compact, unescaped JSON of cleaned strings; equal values give equal bytes."""
    return json.dumps(
        _cleaned(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def canonical_text(text: str) -> str:
    """The same as canonical_json({"text": text}), for a fifth of the time: most of what agents say is this."""
    return f'{{"text":{encode_basestring(clean_text(text))}}}'


def chained_digest(previous: str, text: str) -> str:
    """The next link of a chain of digests."""
    return hashlib.sha256((previous + text).encode()).hexdigest()


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean_text(str(key)): _cleaned(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
