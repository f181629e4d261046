"""PyTorch's side of the fuzzer: makes programs and says what they give.

Each line of stdin is one JSON object, each of stdout its answer: {"kind": "make", "seed", "count",
"only", "special", "edited", "type"} gives programs and their answers, {"kind": "answer", "programs", "nudge"} the
answers alone; `nudge` moves the leaves by some last digits of their type, which shows where a result
hangs on these.
"""

from functools import partial
import json
import os
from pathlib import Path
import random
import re
import sys
import warnings

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import torch  # noqa: E402

import harness  # noqa: E402
from programs import make_edited, make_program  # noqa: E402


class Recorder:
    """Collects what one program gives."""

    def __init__(self):
        self.answer = {"tensors": {}, "values": {}, "errors": {}, "gradients": []}

    def begin(self, number):
        pass

    def tensor(self, label, tensor):
        self.answer["tensors"][label] = encode(tensor.detach()) | {
            "grad": tensor.requires_grad,
            "contiguous": tensor.is_contiguous(),
        }

    def value(self, label, text):
        self.answer["values"][label] = text

    def error(self, label, kind, text):
        self.answer["errors"][label] = [kind, text]

    def backward(self, total, leaves):
        try:
            total.backward()
        except Exception as error:
            self.error("backward", type(error).__name__, str(error)[:300])
            return
        grads = [leaf.grad for leaf in leaves]
        self.answer["gradients"] = [None if g is None else encode(g) for g in grads]


def encode(tensor):
    """Type, shape and numbers; parts of complex numbers are pairs on a last axis."""
    if tensor._is_zerotensor():
        tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
    real = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
    data = [number(x) for x in real.resolve_neg().reshape(-1).tolist()]
    name = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": name, "shape": list(tensor.shape), "data": data}


def number(x):
    if isinstance(x, bool):
        return int(x)
    if isinstance(x, float) and x - x != 0:
        return "nan" if x != x else "inf" if x > 0 else "-inf"
    return x


def answer(program):
    recorder = Recorder()
    torch.manual_seed(0)
    harness.run_program(harness.Model([program]), 0, program, recorder)
    return recorder.answer


# How far leaves are moved, as a part of themselves, by the coarsest type that a program names: some
# last digits; half precision rounds after every step.
LAST_DIGITS = [
    ("bfloat16", 2**-7),
    ("float16", 2**-10),
    (".half()", 2**-10),
    ("complex32", 2**-10),
    ("float32", 2**-20),
    (".float()", 2**-20),
    ("complex64", 2**-20),
    ("", 2**-46),
]


def nudged(program, seed):
    """The program with float leaves, and floats computed of integers, that differ in their last digits."""
    chance = random.Random(seed)
    lines = "\n".join(program["lines"])
    leaves = []
    for given in program["leaves"]:
        if given["dtype"].startswith(("float", "bfloat", "complex")):
            text = f"{given['dtype']} {lines}"
            part = next(part for name, part in LAST_DIGITS if name in text)
            moved = [
                x if isinstance(x, str) else x * (1 + part * chance.uniform(-1, 1))
                for x in given["data"]
            ]
            given = given | {"data": moved}
        leaves.append(given)
    whole = {given["name"] for given in program["leaves"] if re.match("u?int|bool", given["dtype"])}
    moved_lines = [moved_line(line, whole, seed) for line in program["lines"]]
    return program | {"leaves": leaves, "lines": moved_lines}


def moved_line(line, whole, seed):
    """The line, and where all that it takes are integers, `whole`, its floats moved."""
    result, _, call = line.partition(" = ")
    taken = set(re.findall(r"\b[vrm]\d+_?\b", call))
    if not result.isidentifier() or not taken or not taken <= whole:
        return line
    return f"{line}; {result} = moved({result}, {seed})"


def make(request, at):
    chance = random.Random(request["seed"] * 1_000_003 + at)
    make_one = make_edited if request["edited"] else make_program
    program = make_one(chance, request["only"], request["special"], request["type"])
    return {"program": program, "answer": answer(program)}


def moved_answer(request, at):
    program = request["programs"][at]
    return answer(nudged(program, at) if request.get("nudge") else program)


def each(work, places):
    """What `work` gives for each place, in a process of its own: some calls end it. None for those."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(writing, "w") as file:
            json.dump([work(at) for at in places], file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    if os.waitpid(child, 0)[1] == 0:
        return json.loads(text)
    if len(places) == 1:
        return [None]
    half = len(places) // 2
    return each(work, places[:half]) + each(work, places[half:])


def serve():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        request = json.loads(line)
        is_make = request["kind"] == "make"
        count = request["count"] if is_make else len(request["programs"])
        reply = each(partial(make if is_make else moved_answer, request), range(count))
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    serve()
