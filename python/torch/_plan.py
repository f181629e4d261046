"""How a class becomes a script: constructor arguments, made-up inputs, and a loss.

Every choice is written down as the script that a user could have written (`Plan.text`); what runs is
the same in the same order, so that real PyTorch gives the same numbers for it.
"""

import ast
import difflib

from ._host import host
from ._plan_arguments import Arguments, PlanError, constructed, others
from ._plan_chain import chain_of
from ._plan_driver import DRIVER, drivers, importing
from ._plan_inputs import input_rules
from ._plan_model import layers_of_zeros, vocabulary_of
from ._plan_outputs import first_float, own_loss, told_of
from ._plan_readme import shown_drivers
from ._plan_rules import TARGETS, GivenRule, PaddedRule, Rule
from ._plan_small import is_large
from ._plan_tokens import TokenData, no_input, window_rules
from ._random import get_rng_state, set_rng_state
from ._tensor import Tensor
from .nn import functional as F
from .nn.modules import _calling
from .nn.modules.module import Module


class Plan:
    """One class with its arguments, as `build` and `step`."""

    def __init__(self, module, request, tokens=None):
        self.module = module
        self.entry = request["entry"]
        self.cls = class_named(module, self.entry)
        self.given = request["set"]
        self.arguments = Arguments()
        self.driver = None
        self.inputs = {spec["name"]: spec for spec in request["inputs"]}
        self.loss = request["loss"]
        self.sizes = request["sizes"] or {}
        self.trains = bool(request.get("trains"))
        self.vocabulary = None
        self.loss_rule = None
        self.used = []
        # Whether the step is the example's own.
        self.drives = False
        # Methods that are called in place of forward.
        self.chain = None
        # Layers that begin at zero.
        self.zeros = []
        self._loss_lines = []
        self._seeded = None
        self.data = None if tokens is None else TokenData(tokens)
        # Imports, and the lines that load a checkpoint.
        self.weights = ([], [])

    def build(self):
        model = self._built()
        self.zeros = layers_of_zeros(model)
        return model

    def _built(self):
        """The model: as the file's own example makes it, else of arguments that are made up."""
        self._seeded = get_rng_state()
        for model in self._of_examples(drivers(self.module, self.cls), False):
            return model
        try:
            model, self.arguments = constructed(self.module, self.cls, self.given)
        except Exception:
            set_rng_state(self._seeded)
            for model in self._of_examples(shown_drivers(self.module, self.cls), True):
                return model
            raise
        return model

    def _of_examples(self, found, is_made_up):
        """The models of the examples that do, each with its driver."""
        for driver in found:
            set_rng_state(self._seeded)
            try:
                model = driver.given(self.cls, self.given).build(self.module)
            except Exception:
                continue
            if isinstance(model, self.cls) and not is_large(model, is_made_up):
                self.driver = driver
                yield model
        self.driver = None
        set_rng_state(self._seeded)

    def others(self):
        """Models with other arguments, where no inputs do for the first: its did for the constructor alone."""
        first = self.arguments
        if self.driver is not None:
            return
        for model, self.arguments in others(self.module, self.cls, self.given, self._seeded, first):
            self.zeros = layers_of_zeros(model)
            yield model
        self.arguments = first
        for model in self._of_examples(shown_drivers(self.module, self.cls), True):
            self.zeros = layers_of_zeros(model)
            yield model

    def attempts(self, model):
        """The ways to make inputs, most likely first: the example's own, then what is made up."""
        if self.driver is not None and not (self.inputs or self.sizes or self.data or self.trains):
            yield self.driver
        yield from self._made_up(model)

    def _made_up(self, model):
        found = input_rules(model, self.inputs, self.sizes, self.arguments.all_values(self.cls))
        if self.data is None:
            return found
        return self._windows(found)

    def _windows(self, found):
        windows = [made for rules in found if (made := window_rules(rules, self.data)) is not None]
        if not windows:
            raise no_input(self.cls)
        for made in windows:
            yield made

    def step(self, model, rules):
        if rules is self.driver:
            return self._step_of_driver(model)
        state = get_rng_state()
        values = {rule.name: rule.make() for rule in rules}
        self.used = rules
        self.drives = False
        if self.trains:
            self._feed(rules, values, state)
        self.chain = chain_of(model)
        if self.chain is not None:
            return self._loss_of(model, self.chain.run(values), rules, values)
        by_place = [values[rule.name] for rule in rules if not rule.keyword]
        output = model(*by_place, **{it.name: values[it.name] for it in rules if it.keyword})
        return self._loss_of(model, output, rules, values)

    def _step_of_driver(self, model):
        host.driver_file(DRIVER)
        names = self.driver.step(self.module, model)
        arguments = [(name, held, names[held]) for name, held in self.driver.arguments(model)]
        vocabulary = vocabulary_of(model)
        rules = [
            GivenRule(held, name, value, vocabulary, self.driver.told)
            for name, held, value in arguments
            if isinstance(value, Tensor)
        ]
        self.used = rules
        self.drives = True
        output = self.driver.result(names)
        by_name = {name: value for name, _, value in arguments}
        return self._loss_of(
            model, output, rules, by_name | {rule.name: names[rule.name] for rule in rules}
        )

    def _loss_of(self, model, output, rules, values):
        if self.loss is not None:
            self.loss_rule = self.loss
            self._loss_lines = [f"return {self.loss}"]
            names = {"F": F, "torch": _torch(), "model": model, "output": output, **values}
            return eval(compile(ast.parse(self.loss, mode="eval"), "<loss>", "eval"), names)
        found, path = own_loss(output)
        if found is None and self.trains:
            return self._task_loss(output, values)
        if found is not None:
            self.loss_rule = "forward's own"
            self._loss_lines = [f"return output{path}"]
            return found
        logits, path = first_float(output)
        if logits is None:
            raise PlanError(
                "plan/no-loss",
                f"'{self.entry}' needs to return a floating-point tensor; got {told_of(output)}",
                "Give a loss with --loss 'expression', or write a script with build() and step(model)",
                self.cls.forward,
            )
        return self._made_loss(model, logits, path, rules, values)

    def _feed(self, rules, values, state):
        """What a batch replaces at each step enters the graph as inputs; dropout's draws come first."""
        tokens = next((rule for rule in rules if rule.is_tokens), None)
        if tokens is None:
            raise PlanError(
                "train/no-tokens",
                f"A task needs a model that is called with tokens; '{self.entry}' is called with "
                + ", ".join(rule.name for rule in rules),
                "Train on one batch, the same at every step: a made-up one with --task none, "
                "or that of a script with build() and step(model)",
                self.cls.forward,
            )
        self.vocabulary = tokens.below
        if not any(rule.name in TARGETS for rule in rules):
            values["targets"] = Rule("targets", tokens.shape, tokens.below).make()
        set_rng_state(state)
        for name, value in values.items():
            if isinstance(value, Tensor):
                host.model_input(value._id, name)

    def _task_loss(self, output, values):
        logits, path = first_float(output)
        targets = next(values[name] for name in TARGETS if name in values)
        if logits is None or logits.dim() != 3 or logits.shape[:2] != targets.shape:
            found = "no tensor of numbers" if logits is None else f"shape {list(logits.shape)}"
            raise PlanError(
                "train/no-logits",
                f"A task needs logits [batch, length, vocabulary] from '{self.entry}'; got {found}",
                "Give a loss of output and targets with --loss 'expression'",
                self.cls.forward,
            )
        self.loss_rule = "cross-entropy with the task's targets"
        self._loss_lines = [
            f"return F.cross_entropy(output{path}.flatten(0, 1), targets.flatten())"
        ]
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def _made_loss(self, model, logits, path, rules, values):
        shape = tuple(logits.shape)
        words = (vocabulary_of(model), *shape[2:])
        texts = (rule for rule in reversed(rules) if rule.is_text and rule.below in words)
        tokens = next(texts, None)
        if path:
            self._loss_lines = [f"logits = output{path}"]
            name = "logits"
        else:
            name = "output"
        if (
            tokens is not None
            and len(shape) == 3
            and shape[:2] == tuple(tokens.shape)
            and shape[2] >= tokens.below
        ):
            self.loss_rule = "next-token cross-entropy"
            self._loss_lines.append(
                f"return F.cross_entropy({name}[:, :-1].flatten(0, 1), {tokens.name}[:, 1:].flatten())"
            )
            return F.cross_entropy(
                logits[:, :-1].flatten(0, 1), values[tokens.name][:, 1:].flatten()
            )
        if (
            len(shape) == 2
            and shape[1] > 1
            and _rows_of(rules) == shape[0]
            and _ends_in_classes(model, shape[1])
        ):
            from . import arange

            self.loss_rule = "label cross-entropy"
            self._loss_lines.append(
                f"return F.cross_entropy({name}, torch.arange({shape[0]}) % {shape[1]})"
            )
            return F.cross_entropy(logits, arange(shape[0]) % shape[1])
        if any(it is _calling.last_layer for it in self.zeros) and not self.weights[1]:
            # Squares of zeros have no gradient.
            self.loss_rule = "mean squared distance from 1"
            self._loss_lines.append(f"return ({name}.float() - 1).pow(2).mean()")
            return (logits.float() - 1).pow(2).mean()
        self.loss_rule = "mean of squares"
        self._loss_lines.append(f"return {name}.float().pow(2).mean()")
        return logits.float().pow(2).mean()

    @property
    def text(self):
        """The script."""
        makers, calls = self._step_lines()
        imports, loading = self.weights
        if self.data is not None:
            imports = list(dict.fromkeys([*imports, *self.data.imports]))
            makers = [f"data = {self.data.text}", *makers]
        lines = [
            *(line for line in imports if line.startswith("import ")),
            "import torch",
            "import torch.nn.functional as F",
            *(line for line in imports if line.startswith("from ")),
            *self.arguments.prelude,
            "",
            *self._import_lines(),
            "",
            "",
            "def build():",
            *(f"    {line}" for line in self._build_lines(loading)),
            "",
            "",
            f"def step({self.driver.name if self.drives else 'model'}):",
            *(f"    {line}" for line in makers),
            *(f"    {line}" for line in calls),
            *(f"    {line}" for line in self._loss_lines),
        ]
        return "\n".join(lines) + "\n"

    def _import_lines(self):
        """The lines that import the file's own names."""
        name, names = self.module.__name__, self._names()
        lines = importing(name)
        if len(lines) == 1:
            return [f"from {name} import {', '.join(names)}"]
        return [*lines, *(f"{it} = file.{it}" for it in names)]

    def _names(self):
        """What the script imports of the file."""
        if self.driver is None:
            held = [it.cls.__name__ for it in self.used if isinstance(it, PaddedRule)]
            return list(dict.fromkeys([self.entry, *self.arguments.imports, *held]))
        return self.driver.imports(self.module)

    def _step_lines(self):
        if self.drives:
            return self.driver.input_lines, [f"output = {self.driver.call_text}"]
        makers = [line for rule in self.used for line in rule.lines]
        if self.chain is not None:
            return makers, self.chain.lines
        call = ", ".join(
            f"{rule.name}={rule.name}" if rule.keyword else rule.name for rule in self.used
        )
        return makers, [f"output = model({call})"]

    def _build_lines(self, loading):
        before = [] if self.driver is None else self.driver.build_lines
        made = self.arguments.text(self.entry) if self.driver is None else self.driver.made_text
        ending = [f"model = {made}", *loading, "return model"] if loading else [f"return {made}"]
        return [*before, *ending]


def _rows_of(rules):
    return rules[0].shape[0] if rules and rules[0].shape else None


def _torch():
    import torch

    return torch


def class_named(module, entry):
    found = getattr(module, entry, None)
    if isinstance(found, type) and issubclass(found, Module):
        return found
    classes = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Module)
        and value.__module__ == module.__name__
    ]
    near = difflib.get_close_matches(entry, classes, 1) or classes
    what = f"'{entry}' is no nn.Module" if found is not None else f"There is no class '{entry}'"
    raise PlanError(
        "plan/no-class",
        f"{what} in '{module.__name__}.py'",
        f"It defines {', '.join(near)}" if near else "It defines no nn.Module",
    )


def _ends_in_classes(model, size):
    from .nn.modules.linear import Linear

    linears = [module for module in model.modules() if isinstance(module, Linear)]
    return bool(linears) and linears[-1].out_features == size and vocabulary_of(model) is None
