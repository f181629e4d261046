"""Settings as attributes."""


class ConfigDict(dict):
    def __init__(self, *args, **kwargs):
        super().__init__()
        for name, value in dict(*args, **kwargs).items():
            self[name] = value

    def __setitem__(self, name, value):
        super().__setitem__(name, _held(value))

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'"
            ) from error

    def __setattr__(self, name, value):
        self[name] = value


def _held(value):
    if isinstance(value, dict) and not isinstance(value, ConfigDict):
        return ConfigDict(value)
    return [_held(it) for it in value] if isinstance(value, list) else value


Config = ConfigDict
