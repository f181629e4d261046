"""Watches one step of a model: its module calls and the torch functions that its files call."""
from contextlib import contextmanager
import sys

import torch
from torch.nn.modules import module as nn_module
from torch.overrides import TorchFunctionMode, resolve_name

from golden.places import user_file
from golden.stats import stats


# What these give is whatever the memory held: their numbers are no golden.
UNFILLED = ("empty", "empty_like", "new", "new_empty", "empty_strided")


class Recorder:
    """Rows in the order in which calls return. Gradients arrive in the rows during backward."""

    def __init__(self, model: torch.nn.Module, root: str, script: str, with_script_values: bool):
        self.root = root
        self.script = script
        self.with_script_values = with_script_values
        self.path_of_module = {id(m): name for name, m in model.named_modules()}
        self.running: list[str] = []
        self.calls_by_site: dict[tuple, int] = {}
        self.values: list[dict] = []
        self.modules: dict[str, dict] = {}

    @contextmanager
    def watching(self):
        """Records what runs within."""
        before = nn_module.register_module_forward_pre_hook(self._module_starts)
        after = nn_module.register_module_forward_hook(self._module_ends)
        try:
            with _EachFunction(self._function_returned):
                yield
        finally:
            before.remove()
            after.remove()

    def _module_starts(self, module, args):
        self.running.append(self._path(module))

    def _module_ends(self, module, args, result):
        path = self.running.pop()
        row = self.modules.setdefault(
            path, {"path": path, "class": type(module).__name__, "calls": []})
        call = {"outputs": [], "activation": [], "gradient": []}
        with torch._C.DisableTorchFunction():
            for key, tensor in tensors_in(result):
                call["outputs"].append(
                    {"key": key, "dtype": dtype_name(tensor), "shape": list(tensor.shape)})
                call["activation"].append(stats(tensor))
                call["gradient"].append(None)
                _when_gradient_comes(tensor, call["gradient"], len(call["gradient"]) - 1)
        row["calls"].append(call)

    def _function_returned(self, function, result):
        op = _op_name(function)
        site = self._user_site()
        if op == "__get__" or site is None:
            return
        tensors = tensors_in(result)
        if not tensors:
            return
        key = (*site, op)
        call = self.calls_by_site.get(key, 0)
        self.calls_by_site[key] = call + 1
        for output, (_, tensor) in enumerate(tensors):
            row = {
                "file": site[0], "line": site[1], "op": op,
                "module": self.running[-1] if self.running else None,
                "call": call, "output": output,
                "shape": list(tensor.shape), "dtype": dtype_name(tensor),
                "activation": None if op in UNFILLED else stats(tensor), "gradient": None,
            }
            self.values.append(row)
            _when_gradient_comes(tensor, row, "gradient")

    def _user_site(self) -> tuple[str, int] | None:
        """File and line of the innermost frame in the user's files, unless it is the script's."""
        frame = sys._getframe(1)
        while frame is not None:
            file = user_file(frame.f_code.co_filename, self.root)
            if file == self.script and not self.with_script_values:
                return None
            if file is not None:
                return file, frame.f_lineno
            frame = frame.f_back
        return None

    def _path(self, module) -> str:
        return self.path_of_module.get(id(module), "?" + type(module).__name__)


class _EachFunction(TorchFunctionMode):
    """Calls `returned(function, result)` after each outermost torch function."""

    def __init__(self, returned):
        super().__init__()
        self.returned = returned

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        self.returned(function, result)
        return result


def tensors_in(result) -> list[tuple[str, torch.Tensor]]:
    """The tensors in what a call returned, each with its key path: "", ".0", ".logits"."""
    found = []

    def walk(value, key):
        if isinstance(value, torch.Tensor):
            found.append((key, value))
        elif isinstance(value, dict):
            for name, item in value.items():
                walk(item, f"{key}.{name}")
        elif isinstance(value, (list, tuple)):
            for index, item in enumerate(value):
                walk(item, f"{key}.{index}")
        elif hasattr(value, "__dataclass_fields__"):
            for name in value.__dataclass_fields__:
                walk(getattr(value, name), f"{key}.{name}")

    walk(result, "")
    return found


def dtype_name(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _when_gradient_comes(tensor, row, key):
    def keep(gradient):
        if gradient is not None:
            row[key] = stats(gradient)

    if not tensor.requires_grad:
        return
    try:
        tensor.register_hook(keep)
    except RuntimeError:
        # A view that was made and edited under no_grad: PyTorch refuses hooks on it.
        return


def _op_name(function) -> str:
    """Last part of PyTorch's name of the function."""
    name = resolve_name(function) or getattr(function, "__name__", "")
    return name.rsplit(".", 1)[-1]

