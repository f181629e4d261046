"""Helpers of files that load from the Hub."""

import sys

from normscope_boot.imports import give_placeholders

from .errors import (  # noqa: F401
    EntryNotFoundError,
    GatedRepoError,
    HfHubHTTPError,
    HFValidationError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)


def validate_hf_hub_args(function):
    return function


def are_progress_bars_disabled():
    return True


def disable_progress_bars():
    """There are none."""


enable_progress_bars = disable_progress_bars


def is_jinja_available():
    return False


give_placeholders(sys.modules[__name__])
