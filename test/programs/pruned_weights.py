# %% elements by size, twice, and whole channels
# leaf x float32 2,6
import torch.nn.utils.prune as prune

torch.manual_seed(0)
a, b = nn.Linear(6, 6), nn.Conv1d(6, 4, 3)
prune.l1_unstructured(a, "weight", amount=0.3)
prune.l1_unstructured(a, name="weight", amount=5)
prune.ln_structured(b, "weight", amount=2, n=2, dim=0)
prune.ln_structured(b, "weight", amount=0.5, n=1, dim=1)
r1 = a.weight.detach()
r2 = b.weight_mask
y = b(a(x).unsqueeze(-1).expand(-1, -1, 4).contiguous())
y.square().sum().backward()
r3 = a.weight_orig.grad
r4 = b.weight_orig.grad
r5 = str([list(dict(m.named_parameters())) + list(m.state_dict()) + [len(m._forward_pre_hooks)] for m in (a, b)])

# %% at random, over several modules, by a mask and by a method of one's own; what is left in the end
# leaf x float32 3,5
import torch.nn.utils.prune as prune


class Small(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        mask = default_mask.clone()
        mask[t.abs() < 0.2] = 0
        return mask


torch.manual_seed(1)
m = nn.Sequential(nn.Linear(5, 5), nn.ReLU(), nn.Linear(5, 4))
prune.random_unstructured(m[0], "weight", 0.2)
prune.random_structured(m[0], "weight", 1, dim=1)
prune.global_unstructured([(m[0], "weight"), (m[2], "weight")], prune.L1Unstructured, amount=0.4)
prune.custom_from_mask(m[2], "bias", torch.tensor([1, 0, 1, 1]))
Small.apply(m[0], "bias")
r1, r2 = m[0].weight.detach(), m[2].weight.detach()
r3 = m(x)
said = [prune.is_pruned(m), type(list(m[0]._forward_pre_hooks.values())[0]).__name__]
for part in (m[0], m[2]):
    prune.remove(part, "weight")
    prune.remove(part, "bias")
r4 = m(x).detach()
r5 = str(said + [prune.is_pruned(m), list(m.state_dict()), type(m[0].weight).__name__])
r6 = prune.L1Unstructured(3).prune(torch.arange(6.0) - 2)

# %% amounts, channels and masks that do not fit
import torch.nn.utils.prune as prune

said = []
for slip in (
    lambda l: prune.l1_unstructured(l, "weight", amount=30),
    lambda l: prune.l1_unstructured(l, "weight", amount=1.5),
    lambda l: prune.random_unstructured(l, "weight", amount=-2),
    lambda l: prune.random_unstructured(l, "weight", amount="all"),
    lambda l: prune.ln_structured(l, "bias", 1, 2, 0),
    lambda l: prune.ln_structured(l, "weight", 1, 2, 3),
    lambda l: prune.remove(l, "weight"),
    lambda l: prune.custom_from_mask(l, "weight", torch.ones(2)),
    lambda l: prune.l1_unstructured(l, "weight", 1, importance_scores=torch.ones(2)),
    lambda l: prune.global_unstructured([(l, "weight")], prune.LnStructured, amount=1, n=2),
):
    l = nn.Linear(3, 2)
    try:
        slip(l)
    except Exception as error:
        said.append(f"{type(error).__name__}: {error} {sorted(dict(l.named_parameters()))}")
r1 = "\n".join(said)
