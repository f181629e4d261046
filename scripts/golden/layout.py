"""Writes a golden as JSON with one row per line, so that a change can be read as a diff."""
import json
from pathlib import Path


def write_golden(golden: dict, target: Path):
    target.parent.mkdir(parents=True, exist_ok=True)
    entries = [f"{json.dumps(key)}: {_value(value)}" for key, value in golden.items()]
    target.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


def _value(value) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(_compact(row) for row in value) + "\n]"
    return _compact(value)


def _compact(value) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
