"""Logs nothing."""

import enum


class Text(enum.Enum):
    none = danger = success = warning = meta = key = value = title = heading = subtle = (
        highlight
    ) = None
    link = None


def log(*args, **options):
    pass


inspect = log
