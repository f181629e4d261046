"""torch.optim.swa_utils."""

# %% averages of several kinds
from torch.optim.swa_utils import (
    AveragedModel,
    SWALR,
    get_ema_multi_avg_fn,
    get_ema_avg_fn,
    update_bn,
)

m = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
res = []
models = [
    AveragedModel(m),
    AveragedModel(m, multi_avg_fn=get_ema_multi_avg_fn(0.9)),
    AveragedModel(m, avg_fn=get_ema_avg_fn(0.8), use_buffers=True),
]
for i in range(3):
    with torch.no_grad():
        for p in m.parameters():
            p.add_(torch.randn_like(p))
    for a in models:
        a.update_parameters(m)
r1 = [list(a.parameters()) for a in models]
r2 = [a.n_averaged for a in models]
update_bn([torch.randn(5, 3), torch.randn(5, 3)], models[0])
r4 = list(models[0].buffers())
r5 = ",".join(models[0].state_dict().keys())

# %% SWALR
from torch.optim.swa_utils import SWALR

w = nn.Parameter(torch.ones(2))
res = []
for strategy, n in (("cos", 4), ("linear", 3), ("linear", 0)):
    o = torch.optim.SGD([w], lr=0.1)
    s = SWALR(o, swa_lr=0.05, anneal_epochs=n, anneal_strategy=strategy)
    for i in range(6):
        res.append(round(o.param_groups[0]["lr"], 7))
        o.step()
        s.step()
r1 = str(res)
try:
    SWALR(o, 0.1, anneal_strategy="x")
except Exception as e:
    r2 = str(e)

# %% by its full name, as torch.optim has it
averaged = torch.optim.swa_utils.AveragedModel(nn.Linear(2, 2))
r1 = torch.tensor([p.numel() for p in averaged.parameters()])
