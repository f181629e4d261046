# %% six optimizers, each over some steps of one parameter
# leaf x float32 4,3
made = (
    *(lambda p: torch.optim.NAdam(p, 0.1), lambda p: torch.optim.RAdam(p, 0.1)),
    *(lambda p: torch.optim.Adamax(p, 0.1), lambda p: torch.optim.Adadelta(p, 1.0, rho=0.8)),
    *(lambda p: torch.optim.ASGD(p, 0.1, lambd=1e-2, t0=3), lambda p: torch.optim.Rprop(p, 0.05)),
)
ends, kept = [], []
for make in made:
    w = nn.Parameter(x.detach().clone())
    o = make([w])
    for at in range(8):
        o.zero_grad()
        (w * (at % 3 - 1) + w**2).tanh().sum().backward()
        o.step()
    ends.append(w.detach())
    kept.append([(key, round(value.sum().item(), 3)) for key, value in o.state[w].items()])
r1 = torch.stack(ends)
r2 = str([sorted(one) for one in kept])

# %% their settings: decay beside the gradient and within it, upwards, narrow steps
# leaf x float32 4,3
O = torch.optim
made = (
    lambda p: O.NAdam(p, 0.1, weight_decay=0.1, momentum_decay=0.1),
    lambda p: O.NAdam(p, 0.1, weight_decay=0.1, decoupled_weight_decay=True, maximize=True),
    lambda p: O.RAdam(p, 0.1, (0.8, 0.9), weight_decay=0.1, decoupled_weight_decay=True),
    lambda p: O.RAdam(p, 0.1, (0.8, 0.9), weight_decay=0.1, maximize=True),
    lambda p: O.Adamax(p, 0.1, (0.5, 0.9), weight_decay=0.1),
    lambda p: O.Adadelta(p, 0.5, weight_decay=0.1, maximize=True),
    lambda p: O.ASGD(p, 0.1, weight_decay=0.1, alpha=0.5, t0=1, maximize=True),
    lambda p: O.Rprop(p, 0.05, (0.3, 2.0), (0.02, 0.08), maximize=True),
)
ends = []
for make in made:
    w = nn.Parameter(x.detach().clone())
    o = make([w])
    for at in range(7):
        o.zero_grad()
        (w.sin() * (at % 2 + 0.5)).sum().backward()
        o.step()
    ends.append(w.detach())
r1 = torch.stack(ends)
