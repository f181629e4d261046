"""Tensors without numbers."""

# %% made within the device
with torch.device("meta"):
    m = nn.Linear(3, 2)
    x = torch.ones(2, 3)
    y = torch.tensor([1.0, 2.0])
r1 = str(m.weight.device)
r2 = repr(m.weight)
r3 = repr(y)
r4 = m.weight.is_meta
m.to_empty(device="cpu")
r5 = str(m.weight.device)
with torch.no_grad():
    m.weight.fill_(1.0)
    m.bias.zero_()
r6 = m(torch.ones(2, 3))
r7 = torch.rand(3)

# %% loaded by assignment
m = nn.Linear(3, 2, device="meta")
r1 = str(m.load_state_dict({"weight": torch.ones(2, 3), "bias": torch.ones(2)}))
r2 = m.weight.is_meta
m.load_state_dict({"weight": torch.ones(2, 3), "bias": torch.ones(2)}, assign=True)
r3 = m.weight
r4 = m.weight.requires_grad
r5 = m(torch.ones(3))
r6 = torch.rand(2)

# %% what meta tensors refuse
y = torch.ones(2, device="meta")
r1 = []
for f in (
    lambda: y.item(),
    lambda: y[0].item(),
    lambda: y.tolist(),
    lambda: bool(y[0]),
    lambda: y.numpy(),
    lambda: y.cpu(),
    lambda: y.to("cpu"),
    lambda: torch.ones(2).copy_(y),
    lambda: y + torch.ones(2),
    lambda: nn.Linear(2, 2, device="meta").to("cpu"),
    lambda: torch.ones(2) + y,
    lambda: setattr(y, "data", torch.ones(2)),
):
    try:
        f()
        r1.append("ok")
    except Exception as e:
        r1.append(type(e).__name__ + str(e))
r1 = "|".join(r1)
r2 = repr(
    (
        y + 1,
        y * torch.tensor(2.0),
        y.copy_(torch.ones(2)),
        y.half(),
        torch.zeros(2, device="meta", dtype=torch.int64),
        torch.empty_like(y, device="cpu").device,
        y.sum(),
    )
)

# %% layers with device="meta"
r1 = nn.TransformerEncoderLayer(8, 2, device="meta").self_attn.in_proj_weight.device.type
m = nn.Transformer(8, 2, 1, 1, 16, device="meta")
r2 = all(p.is_meta for p in m.parameters())
l = nn.LSTM(3, 4, device="meta")
r3 = all(p.is_meta for p in l.parameters())
b = nn.BatchNorm1d(3, device="meta")
r4 = all(p.is_meta for p in b.state_dict().values())
c = nn.Conv2d(3, 4, 3, device="meta")
r5 = all(p.is_meta for p in c.parameters())
e = nn.Embedding(3, 4, device="meta")
r6 = all(p.is_meta for p in e.parameters())
g = nn.GroupNorm(1, 4, device="meta")
r7 = g.weight.is_meta
k = nn.LSTMCell(3, 4, device="meta")
r8 = all(p.is_meta for p in k.parameters())
r9 = torch.rand(2)

# %% skip_init draws nothing
m = nn.utils.skip_init(nn.Linear, 3, 2)
r1 = torch.rand(3)
r2 = m.weight.shape
nn.init.ones_(m.weight)
r3 = m.weight
w = nn.Linear(2, 2)
w.to("meta")
r4 = w.weight.is_meta
r5 = w.weight.requires_grad

# %% copies and the default device
import copy

m = nn.Linear(3, 2, device="meta")
k = copy.deepcopy(m)
r1 = k.weight.is_meta
torch.set_default_device("meta")
r2 = torch.ones(2).is_meta
torch.set_default_device("cpu")
r3 = torch.ones(2).is_meta
torch.set_default_device(None)
r4 = str(torch.get_default_device())
r5 = sum(p.numel() for p in m.parameters())
