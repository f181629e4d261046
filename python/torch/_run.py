"""Runs a script: `build()` makes the model, `step(model)` its loss."""

import json
import random
import sys

from normscope_boot import assumptions, printed
from normscope_boot.errors import describe

from . import _carried, _grad_mode, _gradients, _weights
from ._host import host
from ._load import load
from ._missed import Watch
from ._plan import Plan
from ._sets import note_orders
from ._plan_arguments import PlanError
from ._plan_effort import Effort, newest
from ._random import get_rng_state, manual_seed, set_rng_state
from ._syntax import class_line
from ._tensor import Tensor
from .nn.modules import _calling
from .nn.modules.batchnorm import _NormBase
from .nn.modules.module import Module


class ScriptError(Exception):
    """The script is not of the form that can be run."""


# What takes the step once more: the model, mode, whether there is a backward, and a call for the loss.
_again = []
# What the buffers were when the step began.
_before = {}
# (a module's table of buffers, a name in it, the buffer) when the step of a training began.
_held = []

# Python's objects stay alive while the host walks backwards: hooks and functions belong to them.
_alive = []


def run(path, text, seed, mode, given=None):
    """Traces the script at `path` (its `text`, where it is no file) and returns what it made.

    `given`, as JSON: weights in place of those that the script makes, and whether a call that is
    not supported ends the step: what came before is returned then.
    """
    seed_all(seed)
    asked = _request(given)
    _overlay(path, asked)
    script = load(path, text)
    seed_all(seed)
    for name in ("build", "step"):
        if not callable(getattr(script, name, None)):
            raise ScriptError(f"'{path}' defines no function '{name}'")
    with Watch() as watch:
        model = script.build()
    if not isinstance(model, Module):
        raise ScriptError(f"build() must return a torch.nn.Module, not {type(model).__name__}")
    loaded = _load_weights(model, asked)
    mode = mode or getattr(script, "MODE", "eval")
    Module.train(model, mode == "train")
    if not _defines_a_module(path, model):
        host.driver_file(path)
    _begin(model)
    _alive.extend((script, model))
    try:
        loss = script.step(model)
    except Exception as error:
        return _told(_stopped(error, mode, asked["keepsGoing"])) | {"weights": loaded}
    backward = bool(getattr(script, "BACKWARD", True))
    _again[:] = [model, mode, backward, lambda: script.step(model)]
    # A script may have filled its tables itself.
    missed = {} if loaded else watch.missed(model) | {"padding": []}
    return _told(_traced(loss, mode, backward)) | {
        "weights": loaded,
        "missed": json.dumps(missed),
        "loops": json.dumps(watch.loops),
    }


def _request(given):
    nothing = {"weights": None, "tokens": None, "source": None, "keepsGoing": False}
    return nothing if given is None else json.loads(given)


def _overlay(path, request):
    """Puts the request's text where the script lies, in memory: the disk is never written."""
    if request["source"] is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(request["source"])


def _load_weights(model, request):
    return None if request["weights"] is None else _weights.load(model, request["weights"])


def run_class(path, request, seed, mode, given=None):
    """Traces a class of the file at `path` as the script that `Plan` makes of it."""
    seed_all(seed)
    asked = _request(given)
    _overlay(path, asked)
    plan = Plan(load(path, None), json.loads(request), asked["tokens"])
    seed_all(seed)
    with Watch() as watch:
        model = plan.build()
    loaded = _load_weights(model, asked)
    if loaded is not None:
        plan.weights = _weights.script_lines(asked["weights"], loaded)
    mode = mode or "eval"
    Module.train(model, mode == "train")
    _alive.append(model)
    try:
        made = _traced(_stepped(plan, model, mode), mode, True)
    except Exception as error:
        made = _stopped(error, mode, asked["keepsGoing"])
    _tell(plan, path)
    return _told(made) | {
        "weights": loaded,
        "plan": plan.text,
        "lossRule": plan.loss_rule or "none",
        "inputs": [[rule.parameter, rule.told] for rule in plan.used],
        "vocabulary": plan.vocabulary,
        "missed": json.dumps({} if loaded else watch.missed(model)),
        "loops": json.dumps(watch.loops),
    }


def _tell(plan, path):
    """Notes what the class was made and called with, and nobody gave."""
    note_orders(path, plan.driver is not None)
    if plan.chain is not None:
        line = class_line(plan.cls)
        assumptions.assume(plan.chain.told(plan.entry), path, line)
    if plan.driver is not None:
        line, shown_in = plan.driver.line, plan.driver.shown_in
        where = "in the file's own example here" if shown_in is None else f"{shown_in} shows"
        assumptions.assume(f"'{plan.entry}' is made as {where}", path, line)
    elif told := plan.arguments.told():
        line = class_line(plan.cls)
        assumptions.assume(
            f"'{plan.entry}' is made with {told}: made up by name, as nobody gave it", path, line
        )


def _told(made):
    return made | {"assumed": json.dumps(assumptions.made())}


def _stopped(error, mode, keeps_going):
    """What a step that met a gap made; any other error is raised."""
    if not keeps_going or not _is_gap(error):
        raise error
    return {"loss": None, "mode": mode, "backward": False, "gap": describe(error)}


def _is_gap(error):
    """A call, a module or a package that the stand-in does not have."""
    return getattr(error, "normscope_code", None) in _GAPS


_GAPS = ("trace/unsupported-call", "trace/unsupported-module", "trace/missing-package")


def _stepped(plan, model, mode):
    """The loss of the first model whose step works; the error of what came furthest where none does."""
    before = printed.kept()
    furthest = _Furthest()
    try:
        return _first_that_works(plan, model, mode, furthest)
    except Exception as error:
        if _is_gap(error):
            raise
        # Where there were no inputs to try, nothing came any way.
        furthest.take(error, -1)
    effort = Effort()
    printed.restore(before)
    # Weights that were loaded belong to the first alone.
    for other in plan.others() if not plan.weights[1] else ():
        if effort.is_spent:
            break
        Module.train(other, mode == "train")
        _alive.append(other)
        try:
            return _first_that_works(plan, other, mode, furthest)
        except Exception:
            printed.restore(before)
    printed.restore(furthest.printed)
    raise furthest.error


def _first_that_works(plan, model, mode, furthest):
    """Tries each way to make inputs up; `furthest` takes the errors, the last is raised where none works.

    What is not supported ends the search: other inputs would only go around it.
    """
    state = get_rng_state()
    attempts = plan.attempts(model)
    rules = next(attempts)
    effort = Effort()
    before = printed.kept()
    for _ in range(_TRIES):
        set_rng_state(state)
        printed.restore(before)
        _begin(model)
        begun = newest()
        try:
            loss = plan.step(model, rules)
            _again[:] = [model, mode, True, lambda: plan.step(model, rules)]
            return loss
        except Exception as error:
            is_first = furthest.error is None
            # Where made-up inputs do not do either, theirs is the error to mend.
            furthest.take(error, -1 if rules is plan.driver else newest() - begun)
            # What an example wants besides the model may not be there.
            if _is_gap(error) and rules is not plan.driver:
                raise
            if isinstance(error, PlanError) and is_first:
                raise
            problem = error
        try:
            rules = attempts.send(problem)
        except StopIteration:
            break
        if effort.is_spent:
            break
    raise problem


class _Furthest:
    """The error before which most tensors were made, the first of several, and what was printed until then."""

    def __init__(self):
        self.error = None
        self.printed = None
        self._made = None

    def take(self, error, made):
        if self.error is None or made > self._made:
            self.error, self.printed, self._made = error, printed.kept(), made


# Of a model with inputs that were made up.
_TRIES = 80


def _begin(model):
    _before.clear()
    _before.update(_buffers(model))
    host.begin_step(json.dumps(_parameters(model)))
    _calling.begin_step(model)
    if host.trains():
        _hold(model)
        _carried.begin(model)
    _grad_mode.reset()


def _hold(model):
    """Notes which tensor each buffer is, and has the host keep its numbers."""
    _held[:] = [
        (module._buffers, name, buffer)
        for module in model.modules()
        for name, buffer in module._buffers.items()
        if buffer is not None
    ]
    for *_, buffer in _held:
        host.hold(buffer._id)


def _traced(loss, mode, backward):
    if not isinstance(loss, Tensor):
        raise ScriptError(
            f"step(model) must return the loss as a tensor, not {type(loss).__name__}"
        )
    if loss.numel() != 1:
        raise ScriptError(
            f"step(model) must return a loss of one element, not of shape {list(loss.shape)}"
        )
    _alive.append(loss)
    return {"loss": loss._id, "mode": mode, "backward": backward and loss.requires_grad}


def accumulated():
    """What backward() within the step has left in the parameters (see _gradients)."""
    return _gradients.accumulated(_again[0].parameters()) if _again else ""


def edited():
    """What the step has left for the next one, a name a line: buffers that it edited, and more.

    Running statistics of norms do not count, nor what was made or grew: tables of a length.
    """
    now = _buffers(_again[0])
    kept = [name for name, before in _before.items() if name in now and now[name][2] == before[2]]
    edited = sorted(name for name in kept if now[name] != _before[name])
    return "\n".join([*edited, *_edited_parameters(_again[0]), *_carried.finish()])


def _edited_parameters(model):
    """Those without a gradient: the others are the optimiser's."""
    found = model.named_parameters()
    return [name for name, it in found if not it.requires_grad and host.is_made(it._id)]


def _buffers(model):
    """Which tensor each buffer is, how often that was edited, and its shape."""
    found = {}
    for path, module in model.named_modules():
        if isinstance(module, _NormBase):
            continue
        for name, buffer in module._buffers.items():
            if buffer is not None:
                found[f"{path}.{name}".lstrip(".")] = (
                    buffer._id,
                    buffer._version,
                    tuple(buffer.shape),
                )
    return found


def again(keeps):
    """Takes the step once more; buffers are what the last one made of them, or what they were before."""
    model, mode, backward, step = _again
    if not keeps:
        for buffers, name, buffer in _held:
            buffers[name] = buffer
    for buffer in model.buffers():
        host.settle(buffer._id, keeps)
    for parameter in model.parameters():
        if not parameter.requires_grad and host.is_made(parameter._id):
            host.settle_parameter(parameter._id)
    _carried.settle(keeps)
    _begin(model)
    return _traced(step(), mode, backward)


def files():
    """Where the modules that were imported lie, a path a line; the library's own are among them."""
    found = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    return "\n".join(sorted({path for path in found if isinstance(path, str)}))


def seed_all(seed):
    random.seed(seed)
    manual_seed(seed)
    numpy = sys.modules.get("numpy")
    try:
        if numpy is not None:
            numpy.random.seed(seed)
    except ImportError:
        # A placeholder: the package is missing, and nothing has used it.
        pass


def _parameters(model):
    rows = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        row = rows.get(parameter._id)
        if row is None:
            rows[parameter._id] = {"id": parameter._id, "name": name, "aliases": []}
        else:
            row["aliases"].append(name)
    return list(rows.values())


def _defines_a_module(path, model):
    return any(_calling._place(type(module))[0] == path for module in model.modules())
