"""What PyTorch says of mistakes that models have."""

# %% of modules
said = []
wrong = (
    *(lambda: nn.Linear(2, 2).get_parameter("wt"), lambda: nn.Linear(2, 2).get_buffer("weight")),
    *(lambda: nn.Linear(2, 2).get_parameter("in_features"), lambda: nn.Linear(2, 2).to(torch.int64)),
    *(lambda: nn.Parameter([1.0]), lambda: nn.Parameter("x")),
    *(lambda: nn.ModuleList([3]), lambda: nn.BatchNorm1d(2).get_buffer("running_mean").shape),
    lambda: nn.utils.vector_to_parameters([1.0], nn.Linear(1, 1).parameters()),
    lambda: nn.utils.clip_grad_norm_([nn.Parameter(torch.ones(1))], 1.0, "most"),
)
for one in wrong:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% of layers
said = []
x = torch.ones(2, 6, 8)
lstm = nn.LSTM(8, 8, batch_first=True)
attention = nn.MultiheadAttention(8, 2, batch_first=True)
wrong = (
    lambda: lstm(x, (torch.zeros(1, 3, 8), torch.zeros(1, 3, 8))),
    lambda: lstm(x, (torch.zeros(1, 2, 8), torch.zeros(1, 2, 7))),
    lambda: attention(x, x, x, key_padding_mask=torch.zeros(6, 2).bool()),
    lambda: attention(x, x, x, key_padding_mask=torch.zeros(2, 5).bool()),
    lambda: attention(x, x, x, is_causal=True),
)
for one in wrong:
    try:
        one()
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% of shapes, modes and targets
said = []
x = torch.ones(2, 6, 8)
labels = torch.ones(2, 3).long()
wrong = (
    *(lambda: x.unflatten(-1, (3, -1)), lambda: x.unflatten(2, (3, 2)), lambda: x.split([3, 4], -1)),
    *(lambda: torch.split(x, [3, 4], 2), lambda: F.pad(x, (1,) * 6, mode="reflect")),
    lambda: F.interpolate(x, scale_factor=2, mode="bicubic"),
    lambda: F.interpolate(x, scale_factor=2, mode="bilinear"),
    lambda: F.interpolate(x[0], scale_factor=2),
    lambda: F.cross_entropy(torch.ones(12, 4), torch.ones(2, 6)),
    lambda: F.cross_entropy(torch.ones(12, 4), torch.ones(12)),
    lambda: F.ctc_loss(x[:, :2], labels, torch.tensor([2, 2]), torch.tensor([3])),
    lambda: F.ctc_loss(x[:, :2], labels, torch.tensor([2]), torch.tensor([3, 3])),
)
for one in wrong:
    try:
        one()
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% of torch.func
said = []
wrong = (
    lambda: torch.vmap(torch.add)(torch.ones(2), torch.ones(3)),
    lambda: torch.func.jvp(torch.sin, (torch.ones(2),), (torch.ones(3),)),
    lambda: torch.func.grad(torch.sin)(torch.ones(2)),
)
for one in wrong:
    try:
        one()
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% places beyond an axis
said = []
for shape in ((4,), (4, 3), (1, 3), (4, 3, 2), (1, 3, 1, 2)):
    for dim in range(len(shape)):
        for place in (-1, shape[dim]):
            for name in ("index_select", "index_add", "index_copy", "index_fill"):
                x = torch.ones(shape)
                args = {"index_select": [], "index_fill": [2.0]}.get(name, [x.narrow(dim, 0, 1)])
                try:
                    getattr(x, name)(dim, torch.tensor([place]), *args)
                    said.append("ok")
                except (RuntimeError, IndexError) as error:
                    said.append(type(error).__name__ + str(error)[:30])
r1 = " ".join(said)

# %% places beyond an axis, by a factor
said = []
for a in (1, 2):
    for sh in ((4, 3), (3, 2, 3, 1), (4,)):
        for dim in range(len(sh)):
            s2 = list(sh)
            s2[dim] = 1
            try:
                torch.ones(sh).index_add(dim, torch.tensor([-1]), torch.ones(s2), alpha=a)
            except Exception as e:
                said.append(type(e).__name__)
r1 = str(said)

# %% more axes in place
x = torch.tensor(0.5)
x *= torch.tensor([4])

# %% more axes than the target has
x = torch.ones(3)
x += torch.ones(1, 3)
