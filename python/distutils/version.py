"""Versions that compare by their numbers."""

import functools
import re


@functools.total_ordering
class LooseVersion:
    """Runs of digits compare as numbers, runs of letters as text: "1.10.0" is above "1.9"."""

    def __init__(self, vstring=None):
        if vstring is not None:
            self.parse(vstring)

    def parse(self, vstring):
        self.vstring = vstring
        parts = re.findall(r"\d+|[a-z]+", vstring)
        self.version = [int(part) if part.isdecimal() else part for part in parts]

    def __eq__(self, other):
        return self.version == _of(other).version

    def __lt__(self, other):
        return self.version < _of(other).version

    __hash__ = None

    def __str__(self):
        return self.vstring

    def __repr__(self):
        return f"{type(self).__name__} ('{self}')"


class StrictVersion(LooseVersion):
    """Numbers alone."""


def _of(other):
    return LooseVersion(other) if isinstance(other, str) else other
