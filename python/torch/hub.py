"""torch.hub: nothing is downloaded."""

from ._host import UnsupportedCall
from ._unsupported import missing as _missing


def _refusing(name):
    def refuse(*args, **kwargs):
        raise UnsupportedCall(
            f"torch.hub.{name} is not supported: a run loads nothing from the network"
        )

    return refuse


load, download_url_to_file, load_state_dict_from_url, list, help = map(  # noqa: A001
    _refusing, ("load", "download_url_to_file", "load_state_dict_from_url", "list", "help")
)


def get_dir():
    return "/home/user/.cache/torch/hub"


def set_dir(d):
    pass


def __getattr__(name):
    raise _missing("torch.hub", name, globals())
