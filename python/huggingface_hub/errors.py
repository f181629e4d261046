"""What the Hub's functions raise."""

import sys

from normscope_boot.imports import give_placeholders


class HfHubHTTPError(OSError):
    pass


class RepositoryNotFoundError(HfHubHTTPError):
    pass


class GatedRepoError(RepositoryNotFoundError):
    pass


class RevisionNotFoundError(HfHubHTTPError):
    pass


class EntryNotFoundError(Exception):
    pass


class LocalEntryNotFoundError(EntryNotFoundError, FileNotFoundError):
    pass


class OfflineModeIsEnabled(ConnectionError):
    pass


class HFValidationError(ValueError):
    pass


class StrictDataclassError(Exception):
    pass


give_placeholders(sys.modules[__name__])
