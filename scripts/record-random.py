"""Records random numbers of PyTorch on the CPU in test/golden/random.json.

Each program is a seed and the calls that follow. Of each call's result the file has a hash of its
numbers as src/graph/tensor.ts holds them (half types as float32, int64 as float64); of a program,
those of a few numbers that are drawn after it.

    python scripts/record-random.py
"""

import hashlib
import json
from pathlib import Path

import torch
from torch import nn

SIZES = (1, 2, 15, 16, 17, 31, 32, 33, 1000)
FLOATS = ("float32", "float16", "bfloat16", "float64")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8", "bool")

HELD_AS = {
    torch.float16: torch.float32,
    torch.bfloat16: torch.float32,
    torch.int64: torch.float64,
    torch.bool: torch.uint8,
}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:20]


def hash_of(tensor: torch.Tensor) -> str:
    held = tensor.to(HELD_AS.get(tensor.dtype, tensor.dtype))
    return digest(held.contiguous().numpy().tobytes())


def empty(n: int, dtype: str) -> torch.Tensor:
    return torch.empty(n, dtype=getattr(torch, dtype))


def draw(call: str, n: int, p: dict, last: torch.Tensor) -> torch.Tensor:
    """The result of one call; some take the result of the call before."""
    if call == "randperm":
        return torch.randperm(n)
    if call == "multinomial":
        rows = last.reshape(p["rows"], -1)
        return torch.multinomial(rows, n, p["replacement"])
    if call == "bernoulliTensor":
        return torch.bernoulli(last)
    out = empty(n, p["dtype"])
    if call == "uniform":
        return out.uniform_(p["from"], p["to"])
    if call == "normal":
        return out.normal_(p["mean"], p["std"])
    if call == "stridedNormal":
        return torch.stack((out, out), dim=1)[:, 0].normal_(p["mean"], p["std"])
    if call == "logNormal":
        return out.log_normal_(p["mean"], p["std"])
    if call == "truncNormal":
        return nn.init.trunc_normal_(out, p["mean"], p["std"], p["a"], p["b"])
    if call == "bernoulli":
        return out.bernoulli_(p["p"])
    if call == "dropout":
        return nn.functional.dropout(out.fill_(1), p["p"])
    if call == "exponential":
        return out.exponential_(p["lambda"])
    if call == "cauchy":
        return out.cauchy_(p["median"], p["sigma"])
    if call == "geometric":
        return out.geometric_(p["p"])
    if call == "randint":
        return torch.randint(p["low"], p["high"], (n,), dtype=out.dtype)
    assert call == "random_"
    return out.random_()


UNIT = {"from": 0, "to": 1, "dtype": "float32"}
NORMAL = {"mean": 0, "std": 1, "dtype": "float32"}

# Their float64 numbers depend on the C library's last bits: of these the file has some themselves.
ROUNDED = ("normal", "stridedNormal", "logNormal", "truncNormal", "exponential", "cauchy")


def program(seed: int, *calls: tuple[str, int, dict]) -> dict:
    torch.manual_seed(seed)
    last = torch.empty(0)
    steps = []
    for call, n, params in calls:
        last = draw(call, n, params, last)
        step = {"call": call, "n": n, "params": params}
        if last.dtype == torch.float64 and call in ROUNDED:
            steps.append({**step, "first": last[:8].tolist()})
        else:
            steps.append({**step, "hash": hash_of(last)})
    follow = [hash_of(draw("uniform", 3, UNIT, last)), hash_of(draw("normal", 3, NORMAL, last))]
    return {"seed": seed, "steps": steps, "follow": follow}


def one_call(call: str, params: dict, sizes=SIZES, seed: int = 0) -> list[dict]:
    large = 100_000 if params["dtype"] in ("float32", "int64") else 20_000
    return [program(seed, (call, n, params)) for n in (*sizes, large)]


def programs() -> list[dict]:
    all_of_them = []
    for dtype in FLOATS:
        with_type = {"dtype": dtype}
        for start, end in ((0, 1), (-0.25, 0.25), (-0.3, 2.7), (1000, 1001)):
            all_of_them += one_call("uniform", {"from": start, "to": end, **with_type}, seed=1337)
        for mean, std in ((0, 1), (0, 0.02), (0.5, 0.1)):
            all_of_them += one_call("normal", {"mean": mean, "std": std, **with_type}, seed=42)
        all_of_them += one_call("stridedNormal", {"mean": 0.5, "std": 0.1, **with_type})
        all_of_them += one_call("logNormal", {"mean": 0.1, "std": 0.5, **with_type})
        for a, b, std in ((-2, 2, 0.02), (-2, 2, 1), (2, 3, 1)):
            params = {"mean": 0, "std": std, "a": a, "b": b, **with_type}
            all_of_them += one_call("truncNormal", params, seed=-1)
        all_of_them += one_call("exponential", {"lambda": 1.5, **with_type})
        all_of_them += one_call("cauchy", {"median": 0, "sigma": 1, **with_type})
        all_of_them += one_call("dropout", {"p": 0.1, **with_type})
        for n, samples, rows, replacement in (
            (50, 1, 1, False),
            (65, 1, 5, True),
            (50, 20, 1, False),
            (100, 20, 4, False),
            (100, 1000, 4, True),
        ):
            weights = ("uniform", n, {**UNIT, **with_type})
            params = {"rows": rows, "replacement": replacement, **with_type}
            chosen = ("multinomial", samples, params)
            all_of_them.append(program(2**40 + 5, weights, chosen))
        probabilities = ("uniform", 1000, {**UNIT, **with_type})
        chances = ("bernoulliTensor", 1000, with_type)
        all_of_them.append(program(9, probabilities, chances))
    for dtype in (*FLOATS, *INTEGERS):
        with_type = {"dtype": dtype}
        all_of_them += one_call("random_", with_type, (1, 17, 1000))
        all_of_them += one_call("bernoulli", {"p": 0.3, **with_type}, (1, 17, 1000))
        all_of_them += one_call("randint", {"low": 0, "high": 2, **with_type}, (1, 17, 1000))
        if dtype != "bool":
            all_of_them += one_call("geometric", {"p": 0.4, **with_type}, (1, 17, 1000))
    for low, high in ((0, 50257), (-5, 5), (0, 2**28 - 1), (0, 2**28), (-(2**40), 2**40)):
        all_of_them += one_call("randint", {"low": low, "high": high, "dtype": "int64"})
    for high, dtype in ((65504, "float16"), (2**24 + 10, "float32"), (2**9 + 3, "bfloat16")):
        all_of_them += one_call("randint", {"low": 3, "high": high, "dtype": dtype}, (17, 1000))
    for n in (0, *SIZES, 100_000):
        all_of_them.append(program(3, ("randperm", n, {})))
    for sizes in ((3, 5, 3, 20, 1), (1, 1, 100, 7, 7), (16, 2000, 17, 1, 15)):
        calls = ("normal", "uniform", "normal", "logNormal", "normal")
        everything = {**UNIT, **NORMAL}
        drawn = zip(calls, sizes, strict=True)
        all_of_them.append(program(11, *((call, n, everything) for call, n in drawn)))
    all_of_them.append(program(5, ("normal", 2**25 + 5, NORMAL)))
    return all_of_them


def modules() -> dict[str, list[str]]:
    """Hashes of the parameters of modules built one after the other."""
    torch.manual_seed(0)
    built = {
        "linear": nn.Linear(5, 3),
        "wide": nn.Linear(768, 100),
        "embedding": nn.Embedding(77, 16),
    }
    return {name: [hash_of(p.detach()) for p in m.parameters()] for name, m in built.items()}


def state() -> str:
    torch.manual_seed(7)
    torch.empty(3).normal_()
    return digest(torch.get_rng_state().numpy().tobytes())


def erfinv() -> dict:
    torch.manual_seed(0)
    arguments = torch.empty(64).uniform_(-1, 1)
    return {"arguments": arguments.tolist(), "values": torch.erfinv(arguments).tolist()}


def main() -> None:
    golden = {
        "torch": torch.__version__,
        "modules": modules(),
        "erfinv": erfinv(),
        "state": state(),
        "programs": programs(),
    }
    path = Path(__file__).parent.parent / "test" / "golden" / "random.json"
    lines = [json.dumps(item, separators=(",", ":")) for item in golden["programs"]]
    head = json.dumps({k: v for k, v in golden.items() if k != "programs"}, separators=(",", ":"))
    path.write_text(head[:-1] + ',"programs":[\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    main()
