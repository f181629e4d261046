"""What stands around a training, and names that torch has in several places."""

# %% rates over time
w = nn.Parameter(torch.ones(2))
S = torch.optim.lr_scheduler
res = []


def run(o, s, n=12):
    for i in range(n):
        g = o.param_groups[0]
        res.append(
            (
                round(g["lr"], 8),
                round(g.get("momentum", 0) or 0, 6),
                tuple(round(b, 6) for b in g.get("betas", ())),
            )
        )
        o.step()
        s.step()


def sgd(lr=0.1):
    return torch.optim.SGD([w], lr=lr, momentum=0.9)


o = sgd()
run(o, S.OneCycleLR(o, 0.5, total_steps=12))
o = torch.optim.AdamW([w], lr=0.1)
run(
    o, S.OneCycleLR(o, 0.5, epochs=4, steps_per_epoch=3, anneal_strategy="linear", three_phase=True)
)
o = sgd()
run(o, S.CyclicLR(o, 0.01, 0.1, 3, 2))
o = sgd()
run(o, S.CyclicLR(o, 0.01, 0.1, 2, mode="triangular2"))
o = torch.optim.Adam([w])
run(o, S.CyclicLR(o, 0.01, 0.1, 2, mode="exp_range", gamma=0.9, cycle_momentum=False))
o = sgd()
run(o, S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=4), S.CosineAnnealingLR(o, 8, 0.01)], [4]))
o = sgd()
run(
    o, S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9), S.StepLR(o, 2)], [2, 6])
)
o = sgd()
run(o, S.ChainedScheduler([S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.9)]))
r1 = str(res)

# %% rates after a measure
w = nn.Parameter(torch.ones(2))
res = []
for kind in (
    dict(),
    dict(mode="max", patience=1, threshold_mode="abs", threshold=0.01),
    dict(patience=1, cooldown=2, min_lr=0.02, factor=0.5),
):
    o = torch.optim.SGD([w], lr=0.1)
    s = torch.optim.lr_scheduler.ReduceLROnPlateau(o, **{"patience": 2, **kind})
    for m in (1.0, 0.9, 0.95, 0.95, torch.tensor(0.95), 0.95, 0.8, 0.85, 0.9, 0.91, 0.92, 0.93):
        s.step(m)
        res.append(round(o.param_groups[0]["lr"], 7))
    res.append((s.best, s.num_bad_epochs, s.get_last_lr()[0]))
r1 = str(res)
try:
    torch.optim.lr_scheduler.OneCycleLR(o, 0.1)
except ValueError as e:
    r2 = str(e)

# %% states of optimizers
# leaf x float32 3
o = torch.optim.AdamW([x], lr=0.1)
(x * x).sum().backward()
o.step()
d = o.state_dict()
r1 = sorted(d["state"][0].keys())
r2 = d["state"][0]["exp_avg"]
r3 = d["param_groups"][0]["params"]
y = nn.Parameter(torch.ones(3))
p = torch.optim.AdamW([y], lr=0.5)
p.load_state_dict(d)
r4 = p.param_groups[0]["lr"]
r5 = p.state[y]["exp_avg_sq"]
try:
    torch.optim.SGD([y, nn.Parameter(torch.ones(1))]).load_state_dict(d)
except ValueError as e:
    r6 = "refused"

# %% batch norms taken into layers
from torch.nn.utils import fuse_conv_bn_eval, fuse_linear_bn_eval

torch.manual_seed(0)
c = nn.Conv2d(3, 4, 3).eval()
b = nn.BatchNorm2d(4).eval()
b.running_mean.fill_(0.3)
b.running_var.fill_(2.0)
x = torch.randn(1, 3, 5, 5)
f = fuse_conv_bn_eval(c, b)
r1 = f(x).detach()
r2 = f.bias.detach()
l = nn.Linear(3, 4, bias=False).eval()
n = nn.BatchNorm1d(4).eval()
r3 = fuse_linear_bn_eval(l, n)(torch.ones(2, 3)).detach()

# %% stubs of quantization
from torch.ao.quantization import QuantStub, DeQuantStub
import torch.quantization
import torch.utils.hooks
from torch.nn.utils.stateless import functional_call

q = nn.Sequential(QuantStub(), nn.ReLU(), DeQuantStub())
r1 = q(torch.randn(3))
r2 = repr(q)

# %% names that torch has too
# leaf x float32 2,3
t = torch.full((2, 3), 0.4)
r1 = torch.kl_div(x, t)
r2 = torch.binary_cross_entropy_with_logits(x, t, reduction=2)
r3 = torch.frobenius_norm(x, (0, 1))
r4 = torch.nuclear_norm(x)
r5 = torch.empty_strided((2, 3), (1, 2)).stride()
r6 = torch.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
r7 = torch.is_signed(x)
r8 = torch.sym_max(3, 5) + torch.sym_min(1, 2)
r9 = torch.frombuffer(bytearray(b"\x00\x00\x80?\x00\x00\x00@"), dtype=torch.float32)
r10 = x.is_same_size(t)
r11 = x.narrow_copy(1, 0, 2)
r12 = x.new_empty_strided((2, 2), (2, 1)).shape
r13 = x.is_conj()
r14 = torch.sparse_coo_tensor(
    torch.tensor([[0, 1, 1], [2, 0, 2]]), torch.tensor([3.0, 4.0, 5.0]), (2, 3)
).to_dense()
r15 = torch.grid_sampler(torch.arange(9.0).reshape(1, 1, 3, 3), torch.zeros(1, 1, 1, 2), 0, 0, True)
y = t.clone()
y.renorm_(2, 0, 0.1)
r16 = y

# %% where matrices have no factor
from torch.linalg import LinAlgError

A = torch.tensor([[1.0, 2.0], [2.0, 1.0]])
res = []
for f in (
    lambda: torch.linalg.cholesky(A),
    lambda: torch.linalg.inv(torch.zeros(2, 2)),
    lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2)),
    lambda: torch.inverse(torch.zeros(2, 2)),
):
    try:
        f()
        res.append("ok")
    except LinAlgError as e:
        res.append("LinAlgError " + str(isinstance(e, RuntimeError)))
r1 = str(res)
r2 = torch.cuda.OutOfMemoryError is torch.OutOfMemoryError

# %% products with Hessians
# leaf x float32 3
import torch.autograd.functional as A
from torch.func import linearize, replace_all_batch_norm_modules_

v = torch.tensor([1.0, 2.0, 3.0])


def f(y):
    return (y**3).sum() + y[0] * y[1]


def g(a, b):
    return (a * b**2).sum()


r1, r2 = A.hvp(f, x.detach(), v)
r3, r4 = A.vhp(f, x.detach(), v)
r5, p = A.hvp(g, (x.detach(), v), (v, v))
r6, r7 = p
r8, push = linearize(torch.sin, x.detach())
r9 = push(v)
m = replace_all_batch_norm_modules_(nn.Sequential(nn.BatchNorm1d(3)))
r10 = m[0].track_running_stats
r11 = m(torch.arange(6.0).reshape(2, 3)).detach()

# %% rates to their last digit, also where somebody changes them in between
S = torch.optim.lr_scheduler
w = [nn.Parameter(torch.zeros(2))]
made = (
    *(lambda o: S.LinearLR(o, 0.1, total_iters=3), lambda o: S.ExponentialLR(o, 0.9), lambda o: S.StepLR(o, 2, 0.3)),
    *(lambda o: S.MultiStepLR(o, [2, 5, 5], 0.3), lambda o: S.ConstantLR(o, 0.3, 4), lambda o: S.PolynomialLR(o, 6, 0.7)),
    *(lambda o: S.CosineAnnealingLR(o, 4, 1e-4), lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2, 1e-4)),
    lambda o: S.ChainedScheduler([S.LinearLR(o, 0.5, total_iters=4), S.ExponentialLR(o, 0.9)]),
    lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.1, 3), S.StepLR(o, 2, 0.7)]),
    lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=3), S.CosineAnnealingLR(o, 6)], [3]),
)
said = []
for make in made:
    for is_changed in (False, True):
        o = torch.optim.SGD(w, lr=0.1)
        schedule = make(o)
        rates = [o.param_groups[0]["lr"]]
        for at in range(9):
            o.step()
            schedule.step()
            if is_changed and at == 4:
                o.param_groups[0]["lr"] *= 0.5
            rates.append(o.param_groups[0]["lr"])
        said.append((rates, schedule.get_last_lr()))
r1 = str(said)
