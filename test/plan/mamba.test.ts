/** Mamba's layers: their numbers are those that mamba_ssm 2 has without a GPU, by its own reference functions. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const blocks = `from functools import partial
import torch
from torch import nn
from mamba_ssm import Mamba
from mamba_ssm.modules.block import Block
from mamba_ssm.ops.selective_scan_interface import selective_scan_fn
from mamba_ssm.ops.triton.layer_norm import RMSNorm

class M(nn.Module):
    def __init__(self):
        super().__init__()
        mixer = partial(Mamba, d_state=4, bias=True)
        self.first = Block(8, mixer, nn.Identity, RMSNorm, fused_add_norm=True, residual_in_fp32=True)
        self.second = Block(8, partial(Mamba, d_state=3, dt_init="constant"), nn.Identity)
        self.third = Block(8, mixer, partial(nn.Linear, 8), fused_add_norm=True)
        self.A = nn.Parameter(-torch.rand(6, 4))
        self.groups = nn.Linear(8, 16)

    def forward(self, x):
        h, r = self.first(x)
        h, r = self.second(h, r)
        h, r = self.third(h, r)
        u = (h + r)[..., :6].transpose(1, 2)
        B, C = self.groups(h).transpose(1, 2).reshape(2, 2, 2, 4, -1).unbind(1)
        y, last = selective_scan_fn(u, u * 0.1, self.A, B, C, torch.ones(6), z=u, delta_softplus=True, return_last_state=True)
        plain = selective_scan_fn(u, u * 0.1, self.A, self.A + 1, self.A * 2, delta_bias=torch.ones(6))
        return y.square().mean() + last.square().mean() + plain.square().mean()

def build():
    torch.manual_seed(0)
    return M()

def step(model):
    return model(torch.randn(2, 5, 8))
`;

test("blocks, and scans with matrices of each kind", async () => {
  const { loss, parameters } = await runFiles({ "model.py": blocks }, "model.py", null);
  expect(loss).toBeCloseTo(5.269871711730957, 4);
  const wanted = {
    A: 1.2122633674833192,
    "first.norm.weight": 0.04159914369187002,
    "first.mixer.A_log": 4.1713115571070765e-6,
    "first.mixer.dt_proj.bias": 0.00010603419359358946,
    "first.mixer.conv1d.weight": 0.03313296263861365,
    "second.mixer.x_proj.weight": 7.866334736913896e-5,
    "second.norm.bias": 0.032311092121269445,
    "third.mixer.out_proj.weight": 0.05360215071097875,
    "third.mlp.weight": 1.3087516926793075,
    "groups.weight": 0.6303557056196123,
  };
  for (const [name, value] of Object.entries(wanted)) {
    const found = parameters.find((it) => it.name === name)?.gradient?.rms;
    expect(Math.abs(Number(found) / value - 1), name).toBeLessThan(1e-4);
  }
});

const guarded = `import torch
from torch import nn
from mamba_ssm.modules.mamba_simple import Mamba

try:
    from mamba_ssm.ops.triton.layernorm import RMSNorm, layer_norm_fn, rms_norm_fn
except ImportError:
    RMSNorm, layer_norm_fn, rms_norm_fn = None, None, None

class Scanned(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.norm, self.mixer = RMSNorm(d_model), Mamba(d_model)

    def forward(self, x):
        return x + self.mixer(self.norm(x))

class Doubled(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        from mamba_ssm import Mamba2
        self.mixer = Mamba2(d_model)

    def forward(self, x):
        return self.mixer(x)
`;

test("a norm whose import is guarded is there where the layers are", async () => {
  const { loss, assumptions } = await runFiles({ "model.py": guarded }, "model.py", "Scanned");
  expect(loss).toBeGreaterThan(0);
  expect(assumptions?.map(({ message }) => message)).toContain(
    "'mamba_ssm' is not here: its scans are computed step by step, in PyTorch's own operations",
  );
});

test("what is not there is refused at its line", async () => {
  await expect(runFiles({ "model.py": guarded }, "model.py", "Doubled")).rejects.toMatchObject({
    place: { line: 22 },
    message: expect.stringContaining("mamba_ssm.Mamba2"),
  });
});
