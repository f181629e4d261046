"""Makes the checkpoints of test/weights/fixtures with PyTorch, and records what it computes with them.

    python scripts/record-weights.py

Needs torch, numpy and safetensors.
"""

import json
import os
import sys
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from safetensors.torch import save_file, save_model

fixtures = Path(__file__).resolve().parent.parent / "test" / "weights" / "fixtures"
sys.path.insert(0, str(fixtures))
sys.dont_write_bytecode = True

import loads  # noqa: E402
from tiny import Tiny  # noqa: E402


class Hostile:
    def __reduce__(self):
        return os.system, ("echo taken",)


def trained():
    torch.manual_seed(7)
    model = Tiny()
    with torch.no_grad():
        model.scale.fill_(1.5)
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.05)
    return model


def write_checkpoints(model):
    state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    save_model(model, str(fixtures / "tiny.safetensors"))
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        name = str(dtype).removeprefix("torch.")
        save_file({key: tensor.to(dtype) for key, tensor in state.items()}, fixtures / f"{name}.safetensors")
    integers = {key: (8 * tensor).round().to(torch.int8) for key, tensor in state.items()}
    save_file(integers, fixtures / "int8.safetensors")
    write_shards(state)
    torch.save(model.state_dict(), fixtures / "tiny.pt")
    nested = {"model": model.state_dict(), "step": 3, "betas": (0.9, 0.95), "names": ["a", None, True, 2**70]}
    torch.save(nested, fixtures / "nested.pt")
    torch.save(model.state_dict(), fixtures / "old.pt", _use_new_zipfile_serialization=False)
    torch.save({f"module.{key}": tensor for key, tensor in state.items()}, fixtures / "wrapped.pt")
    torch.save({key: strided(tensor) for key, tensor in state.items()}, fixtures / "strided.pt")
    torch.save({**state, "hook": Hostile()}, fixtures / "hostile.pt")
    arrays = {key: tensor.numpy() for key, tensor in state.items()}
    numpy.savez(fixtures / "tiny.npz", **arrays)
    numpy.savez_compressed(fixtures / "compressed.npz", **{key: numpy.asfortranarray(a) for key, a in arrays.items()})


def strided(tensor):
    """The same numbers as a part of something larger, columns first."""
    if tensor.dim() != 2:
        return tensor
    larger = torch.zeros(tensor.shape[1] + 1, tensor.shape[0] + 2)
    view = larger[1:, 2:].T
    view.copy_(tensor)
    return view


def write_shards(state):
    folder = fixtures / "sharded"
    folder.mkdir(exist_ok=True)
    names = sorted(state)
    shards = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, own in shards.items():
        save_file({name: state[name] for name in own}, folder / file)
    index = {"metadata": {}, "weight_map": {name: file for file, own in shards.items() for name in own}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1) + "\n")


def sums(model, loss):
    loss.backward()
    return {
        "loss": loss.item(),
        "parameters": {
            name: {
                "rms": parameter.detach().double().pow(2).mean().sqrt().item(),
                "gradient": parameter.grad.double().pow(2).mean().sqrt().item(),
            }
            for name, parameter in model.named_parameters()
        },
    }


def run(state):
    """As a run of the class Tiny: weights and inputs from seed 0, then the checkpoint."""
    torch.manual_seed(0)
    model = Tiny()
    model.load_state_dict(state)
    model.eval()
    idx = torch.randint(0, 16, (4, 64))
    output = model(idx)
    return sums(model, F.cross_entropy(output[:, :-1].flatten(0, 1), idx[:, 1:].flatten()))


def expected(model):
    state = model.state_dict()

    def narrowed(dtype):
        return {key: tensor.to(dtype) for key, tensor in state.items()}

    torch.manual_seed(0)
    loaded = loads.build().eval()
    script = sums(loaded, loads.step(loaded))
    return {
        "float32": run(state),
        "bfloat16": run(narrowed(torch.bfloat16)),
        "float16": run(narrowed(torch.float16)),
        "int8": run({key: (8 * tensor).round().to(torch.int8) for key, tensor in state.items()}),
        "script": script,
    }


model = trained()
write_checkpoints(model)
text = json.dumps({"torch": torch.__version__, **expected(model)}, indent=1) + "\n"
(fixtures / "expected.json").write_text(text)
