"""What versions of Python before 3.11 take, and files of their time rest on."""

import dataclasses


def install():
    _take_settings_as_defaults()


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
