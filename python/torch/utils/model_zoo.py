"""torch.utils.model_zoo: nothing is downloaded."""

from ..hub import load_state_dict_from_url as load_url  # noqa: F401
