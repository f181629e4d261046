#!/usr/bin/env python3
"""Records 50 steps of training in real PyTorch, for every optimiser, on the tiny models.

    python scripts/record-training.py

Writes test/golden/training: the tokens (uint16) and, for each case, its settings and losses.
Needs PyTorch and numpy; nothing else in the repository does.
"""
import importlib.util
import json
from pathlib import Path
import sys

import numpy
import torch
import torch.nn.functional as F

REPOSITORY = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
FOLDER = REPOSITORY / "test" / "golden" / "training"
STEPS, BATCH, SEQ, SYMBOLS = 50, 4, 16, 16
SIZES = {"n_layers": 2, "d_model": 32, "d_ff": 64, "n_heads": 2, "vocab_size": SYMBOLS}
MODELS = {
    "pre": ("models/pre_ln.py", "PreLNTransformer", SIZES),
    "post": ("models/post_ln.py", "PostLNTransformer", SIZES),
    "dropout": ("test/training/with_dropout.py", "WithDropout", {}),
    "reading": ("test/training/reading_tokens.py", "ReadingTokens", {}),
    "named": ("test/training/named_otherwise.py", "NamedOtherwise", {}),
    "tied": ("test/training/named_otherwise.py", "NamedOtherwise", {"tied": True}),
}
HEADS = {"head.weight", "readout.weight"}
ADDED = ".shift"


class Lion(torch.optim.Optimizer):
    """Algorithm 2 of https://arxiv.org/abs/2302.06675; PyTorch has none."""

    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["m"] = torch.zeros_like(p)
                m = state["m"]
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_((m * beta1 + p.grad * (1 - beta1)).sign(), alpha=-group["lr"])
                m.mul_(beta2).add_(p.grad, alpha=1 - beta2)


def matrices(model):
    """Names of the weights of products: tables of embeddings, norms and what is added are none."""
    kinds = (torch.nn.Embedding, torch.nn.LayerNorm)
    others = {id(p) for m in model.modules() if isinstance(m, kinds) for p in m.parameters()}
    return {
        name
        for name, p in model.named_parameters()
        if p.dim() >= 2 and id(p) not in others and not name.endswith(ADDED)
    }


def groups(named, decay, decayed):
    return [
        {"params": [p for name, p in named if name in decayed], "weight_decay": decay},
        {"params": [p for name, p in named if name not in decayed], "weight_decay": 0.0},
    ]


def optimizers(model, settings, lr):
    """What `settings` says in PyTorch's words: a list, since Muon takes the hidden matrices alone."""
    named = list(model.named_parameters())
    factors = matrices(model)
    decayed = {n for n, _ in named} if settings["decay"] == "all" else factors
    name, decay = settings["name"], settings["weightDecay"]
    if name == "muon":
        hidden = [(n, p) for n, p in named if n in factors - HEADS]
        others = [(n, p) for n, p in named if n not in factors - HEADS]
        return [
            torch.optim.Muon([g for g in groups(hidden, decay, decayed) if g["params"]], lr=lr),
            torch.optim.AdamW(groups(others, decay, decayed), lr=lr),
        ]
    made = groups(named, decay, decayed)
    if name == "sgd":
        options = {k: settings[k] for k in ("momentum", "nesterov") if k in settings}
        return [torch.optim.SGD(made, lr=lr, **options)]
    kinds = {
        "adam": torch.optim.Adam,
        "adamw": torch.optim.AdamW,
        "adafactor": torch.optim.Adafactor,
        "lion": Lion,
    }
    return [kinds[name](made, lr=lr)]


def load(file, entry, arguments):
    spec = importlib.util.spec_from_file_location(Path(file).stem, REPOSITORY / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, entry)(**arguments)


def windows(tokens, index):
    """Rows that follow one another; the same as the task's order "sequential"."""
    starts = len(tokens) - SEQ
    rows = []
    for row in range(BATCH):
        start = (index * BATCH + row) * SEQ % starts
        rows.append(tokens[start : start + SEQ + 1])
    batch = torch.from_numpy(numpy.stack(rows).astype(numpy.int64))
    return batch[:, :-1], batch[:, 1:]


def run(case, tokens):
    file, entry, arguments = MODELS[case["model"]]
    torch.manual_seed(0)
    model = load(file, entry, arguments)
    model.train(case["mode"] == "train")
    all_optimizers = optimizers(model, case["optimizer"], case["lr"])
    losses = []
    for step in range(1, case["steps"] + 1):
        factor = min(1.0, step / case["warmup"]) if case["warmup"] else 1.0
        for optimizer in all_optimizers:
            optimizer.zero_grad(set_to_none=True)
            for group in optimizer.param_groups:
                group["lr"] = case["lr"] * factor
        total = 0.0
        for micro in range(case["accumulate"]):
            x, y = windows(tokens, (step - 1) * case["accumulate"] + micro)
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            (loss / case["accumulate"]).backward()
            total += loss.item() / case["accumulate"]
        if case["clip"] is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), case["clip"])
        for optimizer in all_optimizers:
            optimizer.step()
        losses.append(total)
    return losses


RATES = {"sgd": 0.05, "adam": 3e-3, "adamw": 3e-3, "adafactor": 1e-2, "lion": 3e-4, "muon": 5e-3}
VARIANTS = {
    "plain": {},
    "warm-up": {"warmup": 10},
    "clipped": {"clip": 0.5},
    "decayed": {"weightDecay": 0.1, "decay": "all"},
    "all": {"warmup": 10, "clip": 0.5, "weightDecay": 0.1},
}


def cases():
    def case(name, model, optimizer, **more):
        settings = {"weightDecay": more.pop("weightDecay", 0.0), "decay": more.pop("decay", "matrices")}
        plain = {"warmup": 0, "clip": None, "accumulate": 1, "mode": "eval", "steps": STEPS}
        return {
            "name": name,
            "model": model,
            "optimizer": {**optimizer, **settings},
            "lr": RATES[optimizer["name"]],
            **plain,
            **more,
        }

    for model in ("pre", "post"):
        for name in RATES:
            kinds = [("", {})]
            if name == "sgd":
                kinds = [("", {}), (" with momentum", {"momentum": 0.9}),
                         (" with Nesterov", {"momentum": 0.9, "nesterov": True})]
            for suffix, options in kinds:
                chosen = VARIANTS if model == "pre" and not suffix else ("plain", "all")
                for variant in chosen:
                    label = f"{model}-LN, {name}{suffix}, {variant}"
                    yield case(label, model, {"name": name, **options}, **VARIANTS[variant])
    for model in ("named", "tied"):
        for name in ("adamw", "muon"):
            yield case(f"names that say nothing, {model}, {name}", model, {"name": name}, weightDecay=0.3)
    yield case("pre-LN, adam, accumulated", "pre", {"name": "adam"}, accumulate=2, clip=0.5)
    yield case("dropout, adam", "dropout", {"name": "adam"}, mode="train")
    yield case("a graph for each batch, adamw", "reading", {"name": "adamw"}, warmup=10, clip=0.5)
    yield case("a graph for each batch, sgd", "reading", {"name": "sgd", "momentum": 0.9})


def main():
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    table = numpy.array(json.loads((REPOSITORY / "src/train/tasks/markovTable.json").read_text()))
    generator = numpy.random.default_rng(1)
    symbols = [0]
    while len(symbols) < STEPS * BATCH * SEQ * 2 + SEQ + 1:
        symbols.append(int(generator.choice(SYMBOLS, p=table[symbols[-1]])))
    tokens = numpy.array(symbols, dtype="<u2")
    (FOLDER / "tokens.bin").write_bytes(tokens.tobytes())
    recorded = []
    for case in cases():
        file, entry, arguments = MODELS[case["model"]]
        losses = run(case, tokens)
        recorded.append({**case, "file": file, "entry": entry, "set": arguments, "losses": losses})
        print(case["name"], losses[0], losses[9], losses[-1], flush=True)
    lines = ",\n".join(json.dumps(case) for case in recorded)
    data = f'{{"torch": "{torch.__version__.split("+")[0]}", "batch": {BATCH}, "seq": {SEQ}, "cases": [\n{lines}\n]}}\n'
    (FOLDER / "losses.json").write_text(data)


if __name__ == "__main__":
    main()
