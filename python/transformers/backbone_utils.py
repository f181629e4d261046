"""Which stages a backbone gives the features of."""

import functools
import sys

from normscope_boot.imports import give_placeholders


class BackboneConfigMixin:
    def set_output_features_output_indices(self, out_features, out_indices):
        """Names and numbers of the same stages, the last one where none are given."""
        names = self.stage_names
        if out_features is None:
            out_indices = [len(names) - 1] if out_indices is None else list(out_indices)
            out_features = [names[it] for it in out_indices]
        elif out_indices is None:
            out_indices = [names.index(it) for it in out_features]
        self._out_features, self._out_indices = list(out_features), list(out_indices)

    @property
    def out_features(self):
        return self._out_features

    @out_features.setter
    def out_features(self, out_features):
        self.set_output_features_output_indices(out_features, None)

    @property
    def out_indices(self):
        return self._out_indices

    @out_indices.setter
    def out_indices(self, out_indices):
        self.set_output_features_output_indices(None, out_indices)


class BackboneMixin:
    has_attentions = True

    def __init__(self, config, *args, **kwargs):
        super().__init__(config, *args, **kwargs)
        self.stage_names = config.stage_names
        self.num_features = None

    @property
    def out_features(self):
        return self.config._out_features

    @property
    def out_indices(self):
        return self.config._out_indices

    @property
    def channels(self):
        counts = dict(zip(self.stage_names, self.num_features))
        return [counts[name] for name in self.out_features]


def filter_output_hidden_states(forward):
    """Backbones compute all hidden states; they return them where they are asked for."""

    @functools.wraps(forward)
    def wrapped(self, *args, **kwargs):
        asked = kwargs.get("output_hidden_states", getattr(self.config, "output_hidden_states", 0))
        output = forward(self, *args, **kwargs | {"output_hidden_states": True})
        if asked:
            return output
        return type(output)(**{key: it for key, it in output.items() if key != "hidden_states"})

    return wrapped


give_placeholders(sys.modules[__name__])
