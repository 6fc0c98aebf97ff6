"""A document as TOML, laid out as a person would."""

from __future__ import annotations

import json
import re
from typing import Any, Mapping

from ._errors import ArgumentError, told

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")
#: Tables whose entries are things with several properties each: a heading for each of them, where they are long.
_LONG = 110


def _key(name: str) -> str:
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, int):
        return str(value) if -2**63 <= value < 2**63 else repr(float(value))
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {value_text(v)}" for k, v in value.items()) + " }" if value else "{}"
    raise ArgumentError(f"{told(value)} cannot stand in a model")


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def document_text(document: Mapping[str, Any]) -> str:
    lines = [f"{_key(name)} = {value_text(value)}" for name, value in document.items() if not _is_table(value)]
    for name, value in document.items():
        if _is_table(value) and value:
            _table(_key(name), value, lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _table(path: str, table: Mapping[str, Any], lines: list[str]) -> None:
    """Entries keep their order: from the first on that is too long for a line all have headings of their own, where all
    of them can."""
    entries = list(table.items())
    texts = [f"{_key(name)} = {value_text(value)}" for name, value in entries]
    headed = [_is_table(value) and bool(value) for _, value in entries]
    long = [len(text) > _LONG and can for text, can in zip(texts, headed)]
    first = long.index(True) if True in long else len(entries)
    if not all(headed[first:]):
        first = len(entries)
    if first > 0:
        lines.append(f"\n[{path}]")
        lines.extend(texts[:first])
    for name, value in entries[first:]:
        _table(f"{path}.{_key(name)}", value, lines)
