"""What model files import of huggingface_hub: the base class of models that can be shared. A run has no network."""

import inspect
import sys

from normscope_boot.imports import give_placeholders

__version__ = "1.23.0"


def _refuse(*args, **kwargs):
    raise OSError("There is no network in a run: give a checkpoint with --weights")


def is_offline_mode():
    return True


def get_token():
    return None


hf_hub_download = snapshot_download = cached_download = login = upload_file = create_repo = _refuse


class ModelHubMixin:
    """Keeps what the model is made with, as the real one does to write it beside the weights."""

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__()

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        try:
            bound = inspect.signature(cls.__init__).bind(made, *args, **kwargs)
            bound.apply_defaults()
            made._hub_mixin_config = {name: it for name, it in list(bound.arguments.items())[1:]}
        except TypeError:
            made._hub_mixin_config = None
        return made

    from_pretrained = classmethod(_refuse)
    save_pretrained = push_to_hub = _refuse


class PyTorchModelHubMixin(ModelHubMixin):
    pass


give_placeholders(sys.modules[__name__])
