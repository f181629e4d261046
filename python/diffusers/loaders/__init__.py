"""Mixins that load adapters and other layouts of weights, of which a run has none."""


class PeftAdapterMixin:
    _hf_peft_config_loaded = False


class FromOriginalModelMixin:
    @classmethod
    def from_single_file(cls, *args, **kwargs):
        raise NotImplementedError(
            f"{cls.__name__}.from_single_file: no weights are downloaded; make the model with its settings, and "
            "load a checkpoint with --weights"
        )


class UNet2DConditionLoadersMixin:
    pass


class FluxTransformer2DLoadersMixin:
    pass


class SD3Transformer2DLoadersMixin:
    pass


FromOriginalControlNetMixin = FromOriginalVAEMixin = FromSingleFileMixin = FromOriginalModelMixin
