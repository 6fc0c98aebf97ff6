"""A document as TOML, laid out as a person would."""

from __future__ import annotations

import json
import re
from typing import Any, Mapping

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
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(one) for one in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {value_text(v)}" for k, v in value.items()) + " }" if value else "{}"
    raise TypeError(f"{value!r} cannot stand in a model")


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _table(path: str, table: Mapping[str, Any], lines: list[str]) -> None:
    lines.append(f"\n[{path}]")
    apart: list[str] = []
    for name, value in table.items():
        line = f"{_key(name)} = {value_text(value)}"
        if _is_table(value) and value and len(line) > _LONG:
            apart.append(name)
        else:
            lines.append(line)
    for name in apart:
        _table(f"{path}.{_key(name)}", table[name], lines)


def document_text(document: Mapping[str, Any]) -> str:
    lines = [f"{_key(name)} = {value_text(value)}" for name, value in document.items() if not _is_table(value)]
    for name, value in document.items():
        if _is_table(value) and value:
            _ordered(name, value, lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _ordered(name: str, table: Mapping[str, Any], lines: list[str]) -> None:
    """Entries keep their order: where one of them needs a heading of its own, all behind it have one, too."""
    long = [len(f"{_key(k)} = {value_text(v)}") > _LONG and _is_table(v) and bool(v) for k, v in table.items()]
    first = long.index(True) if True in long else len(long)
    rest = list(table.items())[first:]
    if any(not (_is_table(value) and value) for _, value in rest):  # cannot have a heading: all stay on lines
        lines.append(f"\n[{_key(name)}]")
        lines.extend(f"{_key(k)} = {value_text(v)}" for k, v in table.items())
        return
    if first > 0:
        lines.append(f"\n[{_key(name)}]")
        lines.extend(f"{_key(k)} = {value_text(v)}" for k, v in list(table.items())[:first])
    for key, value in rest:
        _table(f"{_key(name)}.{_key(key)}", value, lines)
