/** Layers and measures of other packages that model files use: their numbers are those of the packages themselves. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const vision = `import torch
import torchvision
from torchvision.models import vgg11_bn
from torchvision.models._utils import IntermediateLayerGetter
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = ResNet(BasicBlock, [1, 1, 1, 1], num_classes=3)
        deep = ResNet(Bottleneck, [1, 1, 2, 1], groups=2, zero_init_residual=True, replace_stride_with_dilation=[False, True, True])
        self.deep = IntermediateLayerGetter(deep, {"layer1": "a", "layer3": 1})
        self.features = vgg11_bn().features[:8]
        self.last = torch.nn.Linear(2, 2)

    def forward(self, x):
        maps = self.deep(x)
        assert list(maps) == ["a", 1] and maps[1].shape == (2, 1024, 4, 4), maps[1].shape
        assert [name for name, _ in self.deep.named_children()][-1] == "layer3"
        parts = [self.plain(x), maps["a"], maps[1], self.features(x), self.last(x[..., :2])]
        return torch.stack([it.square().mean() for it in parts])

class Trained(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = getattr(torchvision.models, "resnet18")(pretrained=True)

    def forward(self, x):
        return self.net(x)

def build():
    torch.manual_seed(0)
    return M()

def step(model):
    found = model(torch.randn(2, 3, 32, 32))
    wanted = torch.tensor([0.0045283786, 0.053930122, 0.011055028, 0.15560088, 0.39281508])
    return (found / wanted - 1).abs().max()
`;

test("ResNets and VGGs of torchvision, and what they give between their layers", async () => {
  const { loss } = await runFiles({ "model.py": vision }, "model.py", null);
  expect(loss).toBeLessThan(1e-4);
});

test("a model whose trained weights are not here is told", async () => {
  const { assumptions } = await runFiles({ "model.py": vision }, "model.py", "Trained");
  expect(assumptions?.map(({ message }) => message)).toContain(
    "torchvision's trained weights of 'resnet18' are not here: it has initial values",
  );
});

const measures = `import torch
import torchmetrics
from torchmetrics import Metric, MetricCollection

class Loss(torchmetrics.aggregation.MeanMetric):
    pass

class Share(Metric):
    def __init__(self):
        super().__init__()
        self.add_state("right", torch.tensor(0.0))
        self.add_state("seen", [])

    def update(self, preds, target):
        self.right += (preds == target).sum()
        self.seen.append(len(target))

    def compute(self):
        return self.right / sum(self.seen)

def build():
    return torch.nn.Linear(2, 2)

def step(model):
    preds, target = torch.tensor([1, 2, 3]), torch.tensor([1, 2, 4])
    share = Share()
    assert abs(share(preds, target).item() - 2 / 3) < 1e-6
    share.reset()
    assert share.seen == [] and share.right.item() == 0
    measured = MetricCollection({"nll": Loss(), "top": torchmetrics.MaxMetric()}).clone(prefix="train/")
    found = measured(torch.tensor([1.0, 3.0]))
    assert list(found) == ["train/nll", "train/top"] and found["train/nll"].item() == 2
    assert Loss()(torch.tensor([1.0, 3.0]), torch.tensor([3.0, 1.0])).item() == 1.5
    return model(torch.ones(2, 2)).pow(2).mean() + found["train/top"]
`;

test("means and collections of torchmetrics, and measures that derive from it", async () => {
  const { loss } = await runFiles({ "model.py": measures }, "model.py", null);
  expect(loss).toBeGreaterThan(3);
});

const windows = `import torch
from local_attention import LocalAttention

def build():
    torch.manual_seed(0)
    return torch.nn.Linear(8, 24)

def step(model):
    x = torch.randn(2, 2, 24, 8)
    mask = torch.arange(24)[None] < torch.tensor([[20], [24]])
    kinds = [
        (dict(window_size=8), dict(mask=mask)),
        (dict(window_size=6, causal=True, dim=8, exact_windowsize=True), {}),
        (dict(window_size=7, autopad=True, shared_qk=True, exact_windowsize=True, look_backward=2), dict(mask=mask)),
        (
            dict(window_size=8, causal=True, shared_qk=True, rel_pos_emb_config=(8, 2), scale=0.3),
            dict(input_mask=mask, attn_bias=torch.randn(2, 8, 16)),
        ),
    ]
    out = [LocalAttention(**made)(*model(x).chunk(3, -1), **given) for made, given in kinds]
    assert all(it.shape == x.shape for it in out)
    found = torch.stack([it.pow(2).mean() for it in out])
    return (found / torch.tensor([0.026284298, 0.070614375, 0.020167336, 0.086999536]) - 1).abs().max()
`;

test("attention within windows", async () => {
  const { loss } = await runFiles({ "model.py": windows }, "model.py", null);
  expect(loss).toBeLessThan(1e-5);
});

const hashed = `import torch
from local_attention import LocalAttention
from reformer_pytorch import LSHSelfAttention
from rotary_embedding_torch import apply_rotary_emb

def build():
    return torch.nn.Linear(8, 24)

def hashes():
    torch.manual_seed(3)
    seen = torch.ones(2, 32, dtype=torch.bool)
    seen[0, 20:] = False
    kinds = ({}, {"causal": True}, {"attend_across_buckets": False, "one_value_head": True}, {"use_full_attn": True, "causal": True}, {"random_rotations_per_head": True})
    for kind in kinds:
        layer = LSHSelfAttention(dim=16, heads=4, bucket_size=4, n_hashes=4, **kind).eval()
        x = torch.randn(2, 32, 16)
        for more in ({}, {"input_mask": seen}, {"keys": torch.randn(2, 8, 16)}):
            yield layer(x, **more).pow(2).sum()

def windows(q, k, v):
    for kind in ({"causal": True}, {"xpos_scale_base": 3, "autopad": True}, {"look_forward": 0, "scale": 0.5}):
        layer = LocalAttention(window_size=5, dim=8, use_xpos=True, **kind)
        yield layer(q, k, v).pow(2).mean()
    yield layer(q, k, v, window_size=10).pow(2).mean()

def step(model):
    with torch.no_grad():
        model.weight.copy_(torch.linspace(-1, 1, 192).reshape(24, 8).sin())
        model.bias.zero_()
    q, k, v = model(torch.linspace(-1, 1, 2 * 3 * 20 * 8).reshape(6, 20, 8)).chunk(3, -1)
    angles = torch.randn(20, 4)
    assert torch.equal(apply_rotary_emb(angles[None], q), apply_rotary_emb(angles, q))
    # Numbers of the packages themselves.
    wanted = [35.648598, 51.329170, 35.975441, 53.115814, 67.996658, 37.826660, 34.419731, 54.670303]
    wanted += [31.730267, 30.649805, 30.479847, 26.562603, 32.648396, 48.315666, 33.482822]
    wanted += [8.43592262, 8.33484554, 8.43449306, 8.50328732]
    found = torch.stack([*hashes(), *windows(q, k, v)])
    return (found / torch.tensor(wanted) - 1).abs().max()
`;

test("attention among hashes, and within windows whose rotations are scaled", async () => {
  const { loss } = await runFiles({ "model.py": hashed }, "model.py", null);
  expect(loss).toBeLessThan(1e-5);
});
