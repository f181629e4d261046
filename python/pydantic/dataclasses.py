"""Dataclasses; their values are taken as they are given."""

from dataclasses import dataclass as _dataclass


def dataclass(cls=None, *, config=None, **options):
    return _dataclass(cls, **options) if cls is not None else lambda it: _dataclass(it, **options)
