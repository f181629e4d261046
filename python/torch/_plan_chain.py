"""A class without `forward`, whose methods are called one after another: encode, decode, project."""

import inspect
import re

from .nn.modules.module import Module

# In the order of their calls; `project` and its like take features to logits.
_STAGES = (("encode",), ("decode",), ("project", "generate_logits", "lm_head", "generator"))
# What a class that has no other stage is trained by.
_ALONE = ("finetune", "compute_loss", "calculate_loss", "loss", "predict", "score")
_MASK = re.compile(r"mask")
_OF_TARGET = re.compile(r"tgt|trg|target|dec")
_RESULT = re.compile(r"enc|memory|context|latent|hidden|output|^(z|h|m|x)$")


class Chain:
    """`parameters` are the arguments that nobody but the caller has, as pairs of `inspect.signature`."""

    def __init__(self, model, stages):
        self.model = model
        self.stages = stages
        self.parameters = []
        # (name of the stage, names of its arguments, None for the result of the stage before)
        self.calls = []
        for stage in stages:
            self._add(stage)

    def _add(self, stage):
        parameters = _required(self.model, stage)
        result = _result_of(parameters, self._names) if self.calls else None
        self.calls.append((stage, [None if name == result else name for name in parameters]))
        self.parameters += [
            (name, it)
            for name, it in parameters.items()
            if name != result and name not in self._names
        ]

    @property
    def _names(self):
        return {name for name, _ in self.parameters}

    @property
    def masks(self):
        """Whether inputs of the chain are masks."""
        return any(_MASK.search(name) for name in self._names)

    def told(self, entry):
        if self.stages == ["forward"]:
            return f"'{entry}' has a __call__ of its own: forward is called"
        calls = f"{', '.join(self.stages)} are called one after another"
        if len(self.stages) == 1:
            calls = f"{self.stages[0]} is called"
        return f"'{entry}' has no forward: {calls}"

    def run(self, values):
        output = None
        for stage, names in self.calls:
            given = [output if name is None else values[name] for name in names]
            output = getattr(self.model, stage)(*given)
        return output

    @property
    def lines(self):
        return [
            f"output = model.{stage}({', '.join(name or 'output' for name in names)})"
            for stage, names in self.calls
        ]


def chain_of(model):
    """The calls in place of the model's: of forward, where `__call__` is another; of methods, where there is none.

    None where the model itself is called, or no method is one that a chain begins with.
    """
    if type(model).forward is not Module.forward:
        is_own = type(model).__call__ is not Module.__call__
        return Chain(model, ["forward"]) if is_own else None
    stages = []
    for names in _STAGES:
        stages += [name for name in names if callable(getattr(model, name, None))][:1]
    if stages[:1] == ["encode"]:
        return Chain(model, stages)
    alone = [name for name in _ALONE if callable(getattr(model, name, None))][:1]
    return Chain(model, alone) if alone else None


def is_of_target(mask):
    """Whether the mask, by its name, is one of what is predicted: each place sees those before it."""
    return bool(_OF_TARGET.search(mask)) and "enc" not in mask


def _required(model, stage):
    called = getattr(model, stage)
    parameters = inspect.signature(getattr(called, "forward", called)).parameters
    return {
        name: it
        for name, it in parameters.items()
        if it.default is inspect.Parameter.empty
        and it.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    }


def _result_of(parameters, known):
    """The name of the argument that is the result of the stage before: no mask, and none that was given already."""
    names = [it for it in parameters if it not in known and not _MASK.search(it)]
    return next((it for it in names if _RESULT.search(it)), names[0] if names else None)
