"""What versions of Python before 3.11 take, and files of their time rest on."""

import collections
import collections.abc
import dataclasses


def install():
    _take_settings_as_defaults()
    _name_collections()


def _name_collections():
    """`collections.Mapping` and the like, which Python 3.10 left to collections.abc alone."""
    for name in collections.abc.__all__:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))


def _take_settings_as_defaults():
    """`field: Settings = Settings()` of another dataclass: all instances share it, as they did."""
    made = dataclasses._get_field

    def _get_field(cls, name, *args):
        given = cls.__dict__.get(name)
        default = given.default if isinstance(given, dataclasses.Field) else given
        if dataclasses.is_dataclass(default) and type(default).__hash__ is None:
            options = {"default_factory": lambda: default}
            if given is not default:
                options |= {"init": given.init, "repr": given.repr, "compare": given.compare}
            setattr(cls, name, dataclasses.field(**options))
        return made(cls, name, *args)

    dataclasses._get_field = _get_field
