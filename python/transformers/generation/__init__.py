"""Text generation: names that model files derive from."""


class GenerationMixin:
    def prepare_inputs_for_generation(self, input_ids, **kwargs):
        return {"input_ids": input_ids, **kwargs}

    def generate(self, *args, **kwargs):
        raise NotImplementedError(
            f"{type(self).__name__}.generate is not supported: call the model"
        )


class GenerationConfig:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)
