/** Attention of packages for a device that is not here: xFormers' and FlashAttention's, by what they are defined as. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const attention = `import torch
import torch.nn.functional as F
from torch import nn
import xformers.ops as xops
from xformers.ops import SwiGLU, memory_efficient_attention, unbind
from xformers.ops.fmha import BlockDiagonalMask
from flash_attn import flash_attn_func, flash_attn_varlen_func, flash_attn_qkvpacked_func
from flash_attn.flash_attn_interface import flash_attn_varlen_qkvpacked_func
from flash_attn.bert_padding import pad_input, unpad_input
from flash_attn.layers.rotary import RotaryEmbedding, apply_rotary_emb_qkv_

def near(a, b):
    assert a.shape == b.shape, (a.shape, b.shape)
    assert (a - b).abs().max() < 1e-5, (a - b).abs().max()

def attend(q, k, v, seen, scale=None, added=0, softcap=None):
    scores = torch.einsum("bihd,bjhd->bhij", q, k) * (scale or q.shape[-1] ** -0.5)
    if softcap:
        scores = softcap * (scores / softcap).tanh()
    scores = (scores + added).masked_fill(~seen, float("-inf"))
    return torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), v)

def build():
    return SwiGLU(8, 12)

def step(model):
    q, k, v = torch.randn(3, 2, 6, 4, 8).unbind(0)
    full = torch.ones(6, 6, dtype=torch.bool)
    near(memory_efficient_attention(q, k, v), attend(q, k, v, full))
    near(memory_efficient_attention(q, k, v, attn_bias=xops.LowerTriangularMask(), scale=0.5), attend(q, k, v, full.tril(), 0.5))
    near(memory_efficient_attention(q[:, :, 0], k[:, :, 0], v[:, :, 0]), attend(q, k, v, full)[:, :, 0])
    near(memory_efficient_attention(q.unflatten(2, (2, 2)), k.unflatten(2, (2, 2)), v.unflatten(2, (2, 2))), attend(q, k, v, full).unflatten(2, (2, 2)))
    flat = [it.reshape(1, 12, 4, 8) for it in (q, k, v)]
    near(memory_efficient_attention(*flat, attn_bias=BlockDiagonalMask.from_seqlens([6, 6])), attend(q, k, v, full).reshape(1, 12, 4, 8))
    near(memory_efficient_attention(*flat, attn_bias=BlockDiagonalMask.from_seqlens([6, 6]).make_causal()), attend(q, k, v, full.tril()).reshape(1, 12, 4, 8))
    mask, joined = BlockDiagonalMask.from_tensor_list([q[:, :2], q])
    near(mask.split(joined)[1], q); near(mask.split(joined)[0], q[:, :2])
    # FlashAttention
    near(flash_attn_func(q, k, v, causal=True), attend(q, k, v, full.tril()))
    near(flash_attn_func(q[:, -2:], k, v, causal=True), attend(q, k, v, full.tril())[:, -2:])
    band = full.tril() & full.triu(-2)
    near(flash_attn_func(q, k, v, causal=True, window_size=(2, 0)), attend(q, k, v, band))
    near(flash_attn_func(q, k, v, softcap=2.0, softmax_scale=1.0), attend(q, k, v, full, 1.0, 0, 2.0))
    slopes = torch.tensor([0.5, 0.25, 0.1, 1.0])
    at = torch.arange(6)
    near(flash_attn_func(q, k, v, alibi_slopes=slopes), attend(q, k, v, full, None, -slopes[:, None, None] * (at[:, None] - at).abs()))
    near(flash_attn_func(q, k[:, :, :2], v[:, :, :2]), attend(q, k[:, :, :2].repeat_interleave(2, 2), v[:, :, :2].repeat_interleave(2, 2), full))
    qkv = torch.stack([q, k, v], 2)
    near(flash_attn_qkvpacked_func(qkv, causal=True), attend(q, k, v, full.tril()))
    starts = torch.tensor([0, 6, 12], dtype=torch.int32)
    near(flash_attn_varlen_qkvpacked_func(qkv.flatten(0, 1), starts, 6, 0.0, causal=True), attend(q, k, v, full.tril()).flatten(0, 1))
    ragged = torch.tensor([0, 2, 12], dtype=torch.int32)
    x = qkv.flatten(0, 1)
    found = flash_attn_varlen_func(*x.unbind(1), ragged, ragged, 10, 10, causal=True)
    parts = [attend(*x[a:b][None].unbind(2), torch.ones(b - a, b - a, dtype=torch.bool).tril())[0] for a, b in ((0, 2), (2, 12))]
    near(found, torch.cat(parts))
    seen = torch.tensor([[1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]])
    tokens, places, starts, longest = unpad_input(q, seen)
    assert longest == 6 and starts.tolist() == [0, 2, 8]
    near(pad_input(tokens, places, 2, 6), q * seen[..., None, None])
    turned = RotaryEmbedding(8)(qkv.clone())
    angles = torch.outer(torch.arange(6.0), 10000.0 ** (-torch.arange(0, 8, 2) / 8))
    c, s = angles.cos()[:, None], angles.sin()[:, None]
    near(turned[:, :, 0], torch.cat([q[..., :4] * c - q[..., 4:] * s, q[..., 4:] * c + q[..., :4] * s], -1))
    near(turned[:, :, 2], v)
    edited = qkv.clone(); apply_rotary_emb_qkv_(edited, angles.cos(), angles.sin()); near(edited, turned)
    apart = RotaryEmbedding(8, interleaved=True)(qkv.clone())[:, :, 1]
    near(apart[..., 0], k[..., 0] * c[..., 0] - k[..., 1] * s[..., 0])
    y = model(q)
    near(y, model.w3(F.silu(model.w12(q)[..., :12]) * model.w12(q)[..., 12:]))
    return y.pow(2).mean()
`;

test("their attention is PyTorch's own in other words", async () => {
  const { loss, assumptions } = await runFiles({ "model.py": attention }, "model.py", null);
  expect(loss).toBeGreaterThan(0);
  expect(assumptions?.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      "'xformers' is not here: its attention is computed as PyTorch's own",
      "'flash_attn' is not here: its attention is computed as PyTorch's own",
    ]),
  );
});

const guarded = `import torch
try:
    from flash_attn import flash_attn_func
    FOUND = True
except ImportError:
    FOUND = False

def build():
    return torch.nn.Linear(2, 2)

def step(model):
    import importlib.util
    assert not FOUND and importlib.util.find_spec("xformers") is None
    return model(torch.ones(1, 2)).sum()
`;

test("a file that does without them goes its own way", async () => {
  await runFiles({ "model.py": guarded }, "model.py", null);
});

test("what they have besides is refused where it is used", async () => {
  const source = `import torch
from flash_attn.ops.triton.rotary import apply_rotary
from xformers.ops import absent

def build():
    return torch.nn.Linear(2, 2)

def step(model):
    return absent(model(torch.ones(1, 2)))
`;
  await expect(runFiles({ "model.py": source }, "model.py", null)).rejects.toThrow(
    "xformers.ops.absent is not supported",
  );
});
