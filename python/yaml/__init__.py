"""yaml as far as files of settings need it: no tags, no keys that are not scalars."""

from torch._unsupported import missing as _missing
from torch._unsupported import unsupported as _unsupported

from ._reading import YAMLError, documents
from ._writing import written

__version__ = "6.0.3"


class BaseLoader:
    """Named by files; one way of reading serves all."""


class SafeLoader(BaseLoader):
    pass


class Loader(SafeLoader):
    pass


FullLoader = UnsafeLoader = CLoader = CSafeLoader = CFullLoader = Loader


class SafeDumper:
    pass


Dumper = CDumper = CSafeDumper = SafeDumper


def load_all(stream, Loader=None):  # noqa: N803
    text = stream.read() if hasattr(stream, "read") else stream
    return iter(documents(text.decode() if isinstance(text, bytes) else text))


def load(stream, Loader=None):  # noqa: N803
    found = list(load_all(stream))
    if len(found) > 1:
        raise YAMLError("expected a single document in the stream")
    return found[0] if found else None


safe_load = full_load = unsafe_load = load
safe_load_all = full_load_all = unsafe_load_all = load_all


def dump(data, stream=None, Dumper=None, *, default_flow_style=False, sort_keys=True, **options):  # noqa: N803
    if default_flow_style:
        raise _unsupported("yaml.dump with default_flow_style=True")
    text = written(data, sort_keys)
    if stream is None:
        return text
    stream.write(text)
    return None


safe_dump = dump


def __getattr__(name):
    raise _missing("yaml", name, globals())
