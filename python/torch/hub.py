"""torch.hub: nothing is downloaded."""

from ._unsupported import missing as _missing
from ._unsupported import unsupported


def _refuse(*args, **kwargs):
    raise unsupported("torch.hub: a run has no network")


load = download_url_to_file = load_state_dict_from_url = list = help = _refuse  # noqa: A001


def get_dir():
    return "/home/user/.cache/torch/hub"


def set_dir(d):
    pass


def __getattr__(name):
    raise _missing("torch.hub", name, globals())
