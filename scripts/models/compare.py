"""Whether a file of models/ and its reference give the same numbers for the same checkpoint."""
import os
import re
import tempfile

from safetensors.torch import load_file, save_file
import torch

from models.references import reference

# A gradient that all but cancels has the rounding of the large ones that it is made of: 1e-4 of its
# own size and 2e-6 of the largest are allowed, as everywhere.
FLOOR = 2e-6 / 1e-4


def compare(case):
    """The largest differences, each relative to the largest number of its tensor; or None."""
    torch.manual_seed(0)
    theirs = reference(case, case.set)
    if theirs is None:
        return None
    randomise(theirs)
    ours = case.build().eval()
    load(ours, renamed(case, theirs.state_dict()))
    inputs = {it.name: it.make() for it in case.inputs}
    a = run(ours, case, inputs, lambda model: model(**inputs))
    b = run(theirs, case, inputs, lambda model: call(case.file, model, inputs))
    return {
        "logits": difference(a["logits"], b["logits"]),
        "loss": difference(a["loss"], b["loss"]),
        "blocks": largest(a["blocks"], b["blocks"]),
        "gradients": largest(a["gradients"], renamed(case, b["gradients"])),
    }


def randomise(model):
    """Weights far from their initialisation: norms are not 1, attention is not even."""
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() < 2:
                p.add_(0.3 * torch.randn_like(p))
            else:
                p.copy_(0.3 * torch.randn_like(p))
        for name, b in model.named_buffers():
            if "correction_bias" in name:
                b.copy_(0.3 * torch.randn_like(b))


def load(ours, state):
    """By a safetensors file, as a user would. What ours has not must be another's second name."""
    state = {name: t.clone().contiguous() for name, t in state.items()}
    file = os.path.join(tempfile.mkdtemp(), "model.safetensors")
    save_file(state, file)
    missing, unexpected = ours.load_state_dict(load_file(file), strict=False)
    assert not missing, missing
    own = ours.state_dict()
    for name in unexpected:
        same = (torch.equal(state[name], t) for t in own.values() if t.shape == state[name].shape)
        assert any(same), f"{name} has no place in {type(ours).__name__}"


def renamed(case, state):
    """nn.Transformer's names as ours, without its biases; those of transformers are the same."""
    if case.file != "transformer2017":
        return state
    out = {}
    for name, t in state.items():
        name = re.sub(r"\.(linear\d)\.", r".ffn.\1.", name).replace("multihead_attn", "cross_attn")
        if name.endswith("in_proj_weight"):
            parts = zip(("q_proj", "k_proj", "v_proj"), t.chunk(3), strict=True)
            for part, rows in parts:
                out[name.replace("in_proj_weight", f"{part}.weight")] = rows
        elif "in_proj_bias" in name or name.endswith("attn.out_proj.bias"):
            t.zero_()
        else:
            out[name] = t
    return out


def call(file, model, inputs):
    if file == "transformer2017":
        return model(**inputs)
    if file == "t5":
        output = model(input_ids=inputs["source"], decoder_input_ids=inputs["target"])
    elif file == "whisper":
        output = model(input_features=inputs["spectrogram"], decoder_input_ids=inputs["idx"])
    elif file == "vit":
        output = model(pixel_values=inputs["images"])
    else:
        output = model(input_ids=inputs["idx"])
    return output.logits


def run(model, case, inputs, forward):
    blocks, gradients = {}, {}

    def keep(path):
        def hook(module, args, output):
            blocks[path] = (output[0] if isinstance(output, tuple) else output).detach()
        return hook

    for path, module in model.named_modules():
        if case.is_block(path):
            module.register_forward_hook(keep(path))
    logits = forward(model)
    loss = case.loss_of(model, logits, inputs)
    loss.backward()
    for name, p in model.named_parameters():
        if p.grad is not None:
            gradients[name] = p.grad
    return {
        "logits": logits.detach(), "loss": loss.detach(), "blocks": blocks, "gradients": gradients,
    }


def largest(ours, theirs):
    missing = set(ours) ^ set(theirs)
    assert not missing, f"only on one side: {sorted(missing)}"
    floor = FLOOR * max(t.abs().max().item() for t in theirs.values())
    return max(difference(ours[name], theirs[name], floor) for name in ours)


def difference(a, b, floor=0.0):
    assert a.shape == b.shape, (a.shape, b.shape)
    return (a - b).abs().max().item() / (b.abs().max().item() + floor)
