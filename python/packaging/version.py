"""Versions of the form 2.1.0rc1+cpu, compared by their numbers and pre-releases."""

import functools
import re

__all__ = ["InvalidVersion", "Version", "parse"]

_FORM = re.compile(
    r"v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>a|alpha|b|beta|c|rc|pre|preview)[-_.]?(?P<pre_n>\d*))?"
    r"(?:[-_.]?(?:post|rev|r)[-_.]?(?P<post>\d*)|-(?P<post_n>\d+))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_n>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE,
)
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


class InvalidVersion(ValueError):
    pass


@functools.total_ordering
class Version:
    def __init__(self, version):
        # That of a package that is not there: below all others.
        if hasattr(type(version), "_normscope_stands_for"):
            version = "0"
        found = _FORM.fullmatch(str(version).strip())
        if found is None:
            raise InvalidVersion(f"Invalid version: '{version}'")
        self._text = str(version).strip()
        self.release = tuple(map(int, found["release"].split(".")))
        name = found["pre"] and _PRE.get(found["pre"].lower(), found["pre"].lower())
        self.pre = None if name is None else (name, int(found["pre_n"] or 0))
        post = found["post"] if found["post"] is not None else found["post_n"]
        self.post = None if post is None else int(post or 0)
        self.dev = int(found["dev_n"] or 0) if found["dev"] else None
        self.local = found["local"]
        self._key = self._order(int(found["epoch"] or 0))

    def _order(self, epoch):
        numbers = list(self.release)
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers.pop()
        unfinished = self.pre or (
            ("", 0) if self.dev is not None and self.post is None else ("z", 0)
        )
        post = -1 if self.post is None else self.post
        dev = float("inf") if self.dev is None else self.dev
        return (epoch, tuple(numbers), unfinished, post, dev, self.local or "")

    @property
    def major(self):
        return self.release[0]

    @property
    def minor(self):
        return self.release[1] if len(self.release) > 1 else 0

    @property
    def micro(self):
        return self.release[2] if len(self.release) > 2 else 0

    @property
    def base_version(self):
        return ".".join(map(str, self.release))

    @property
    def is_prerelease(self):
        return self.pre is not None or self.dev is not None

    def __eq__(self, other):
        return isinstance(other, Version) and self._key == other._key

    def __lt__(self, other):
        return self._key < other._key

    def __hash__(self):
        return hash(self._key)

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<Version('{self._text}')>"


def parse(version):
    return Version(version)
