"""Runs a script of the form build(), step(model), MODE in real PyTorch and returns its golden."""
from contextlib import nullcontext
import hashlib
import importlib.util
import os
import random
import sys
import traceback
from types import ModuleType

import torch

from golden.places import user_file
from golden.recorder import Recorder, dtype_name
from golden.stats import NAMES, number, stats

SEED = 0
PARTS = ("buffers", "parameters", "modules", "values")


def run_script(script: str, root: str, watched: bool = True) -> dict:
    """`script` and `root` are absolute; files in the golden are named relative to `root`.

    A script that raises gives a golden that has `error` and no numbers. Unwatched, a script runs as
    if nothing recorded it, and the golden has neither modules nor values.
    """
    torch.set_num_threads(1)
    sys.path.insert(0, os.path.dirname(script))
    head = {"torch": torch.__version__.split("+")[0], "seed": SEED, "stats": NAMES}
    try:
        return {**head, "error": None, **_record(script, root, watched)}
    except Exception as error:
        return {**head, "error": _describe(error, root)}


def _record(script: str, root: str, watched: bool) -> dict:
    user = _load(script)
    random.seed(SEED)
    torch.manual_seed(SEED)
    model = user.build()
    mode = getattr(user, "MODE", "eval")
    # Not model.train(): people override it with a training loop.
    torch.nn.Module.train(model, mode == "train")
    parameters = [_parameter(model, name, p) for name, p in model.named_parameters()]
    buffers = [_state(name, b) for name, b in model.named_buffers()]
    is_model_file = type(model).__module__ == user.__name__
    recorder = Recorder(model, root, os.path.relpath(script, root), is_model_file)
    wanted = getattr(user, "GOLDEN", PARTS)
    is_watched = watched and ("modules" in wanted or "values" in wanted)
    with recorder.watching() if is_watched else nullcontext():
        loss = user.step(model)
    backward = getattr(user, "BACKWARD", True) and loss.requires_grad
    if backward:
        loss.backward()
    for row, (_, p) in zip(parameters, model.named_parameters(), strict=True):
        row["gradient"] = None if p.grad is None else stats(p.grad)
    rows = {
        "buffers": buffers, "parameters": parameters,
        "modules": list(recorder.modules.values()), "values": recorder.values,
    }
    return {
        "mode": mode, "backward": backward, "loss": number(loss.detach()),
        **{part: rows[part] for part in PARTS if part in wanted},
    }


def _load(script: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("script", script)
    module = importlib.util.module_from_spec(spec)
    sys.modules["script"] = module
    spec.loader.exec_module(module)
    return module


def _parameter(model: torch.nn.Module, name: str, p: torch.nn.Parameter) -> dict:
    every = model.named_parameters(remove_duplicate=False)
    aliases = [other for other, q in every if q is p and other != name]
    return {**_state(name, p), "aliases": aliases, "gradient": None}


def _state(name: str, tensor: torch.Tensor) -> dict:
    t = tensor.detach().contiguous().reshape(-1)
    raw = t.view(torch.uint8).numpy().tobytes() if t.numel() else b""
    return {"name": name, "shape": list(tensor.shape), "dtype": dtype_name(tensor),
            "sha256": hashlib.sha256(raw).hexdigest(), "value": stats(tensor)}


def _describe(error: Exception, root: str) -> dict:
    """Type, first line of the message, and the innermost line of the user's files."""
    place = None
    for frame in traceback.extract_tb(error.__traceback__):
        file = user_file(frame.filename, root)
        place = {"file": file, "line": frame.lineno} if file else place
    return {"type": type(error).__name__, "message": str(error).split("\n")[0], "place": place}
