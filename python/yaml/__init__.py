"""yaml as far as files of settings need it: no tags, no keys that are not scalars."""

from torch._unsupported import missing as _missing
from torch._unsupported import unsupported as _unsupported

from ._reading import YAMLError, documents
from ._writing import written

__version__ = "6.0.3"


class BaseLoader:
    """One way of reading serves all; each class has the patterns of numbers that files give it."""

    _of_numbers = ()

    @classmethod
    def add_constructor(cls, tag, constructor):
        """For a tag: documents with tags are refused where they are read."""

    add_multi_constructor = add_constructor

    @classmethod
    def add_implicit_resolver(cls, tag, regexp, first=None):
        kind = _NUMBERS.get(tag)
        if kind is None:
            raise _unsupported(f"yaml.add_implicit_resolver for {tag}")
        cls._of_numbers = (*cls._of_numbers, (regexp, kind))


_NUMBERS = {"tag:yaml.org,2002:float": float, "tag:yaml.org,2002:int": int}


class SafeLoader(BaseLoader):
    pass


class Loader(BaseLoader):
    pass


FullLoader = UnsafeLoader = CLoader = CSafeLoader = CFullLoader = Loader


class SafeDumper:
    pass


Dumper = CDumper = CSafeDumper = SafeDumper


def load_all(stream, Loader=None):  # noqa: N803
    text = stream.read() if hasattr(stream, "read") else stream
    of_numbers = (Loader or SafeLoader)._of_numbers
    return iter(documents(text.decode() if isinstance(text, bytes) else text, of_numbers))


def load(stream, Loader=None):  # noqa: N803
    found = list(load_all(stream, Loader))
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
