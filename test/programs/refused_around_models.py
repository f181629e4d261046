"""What PyTorch says of mistakes around a model: its containers, optimizers, gradients and sizes."""

# %% settings of optimizers and schedules
said = []
w = [nn.Parameter(torch.zeros(2))]
o = torch.optim.SGD(w, lr=0.1)
S = torch.optim.lr_scheduler
for name, given in (
    ("SGD", {"lr": -1}),
    ("SGD", {"momentum": -1}),
    ("SGD", {"nesterov": True}),
    ("SGD", {"nesterov": True, "momentum": 0.9, "dampening": 0.1}),
    ("Adam", {"eps": -1}),
    ("Adam", {"betas": (0.9, 1.5)}),
    ("AdamW", {"weight_decay": -1}),
    ("Adagrad", {"lr_decay": -1}),
    ("Adadelta", {"rho": 2}),
    ("Rprop", {"etas": (2, 1)}),
    ("RMSprop", {"alpha": -1}),
    ("Adafactor", {"weight_decay": -1}),
    ("Muon", {"lr": -1}),
):
    try:
        said.append(type(getattr(torch.optim, name)(w, **given)).__name__)
    except Exception as error:
        said.append((type(error).__name__, str(error)))
wrong = (
    *(lambda: S.LambdaLR(o, [min, max]), lambda: S.MultiplicativeLR(o, [min, max])),
    *(lambda: S.StepLR(nn.Linear(1, 1), 1), lambda: S.CosineAnnealingLR(None, 3)),
    lambda: torch.optim.SGD(["w"], lr=0.1),
)
for one in wrong:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% containers, constructors and states
said = []
two = nn.Linear(2, 2)


class Given(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


class Early(nn.Module):
    def __init__(self):
        self.register_buffer("b", torch.zeros(2))


hooked = nn.Linear(2, 2)
hooked.register_full_backward_hook(lambda *_: None)
wrong = (
    *(lambda: Given(3), lambda: Given(3, 4), lambda: Given(d=3), lambda: Given(3, d=3), Early),
    *(lambda: nn.Sequential(two)[1], lambda: nn.Sequential(two)[-2], lambda: nn.ModuleList([two])[1]),
    *(lambda: nn.ParameterList([torch.ones(1)])[1], lambda: nn.ModuleList([two]).pop(5)),
    *(lambda: nn.ModuleList().extend(two), lambda: nn.ModuleList(3), lambda: nn.ModuleDict(3)),
    *(lambda: nn.ParameterList(3), lambda: nn.ParameterList(torch.ones(2))),
    *(lambda: two.load_state_dict([1]), lambda: two.load_state_dict(None)),
    lambda: hooked.register_backward_hook(lambda *_: None),
)
for one in wrong:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% gradients that are assigned, and what cannot be
said = []
w = nn.Parameter(torch.ones(2, 3))


def assign(value):
    w.grad = value


wrong = (
    *(lambda: assign(w), lambda: assign(1), lambda: assign(torch.zeros(3)), lambda: assign([1.0])),
    *(lambda: assign(torch.zeros(2, 3).double()), lambda: assign(torch.zeros(2, 3).long())),
    *(lambda: assign(torch.zeros(2, 3).half()), lambda: assign(None), lambda: setattr(w, "data", 3)),
    lambda: (w * 1).register_post_accumulate_grad_hook(print),
    *(lambda: setattr(w, "shape", 3), lambda: setattr(w, "dtype", 3), lambda: setattr(w, "T", w)),
    *(lambda: setattr(w, "device", "cpu"), lambda: setattr(w, "is_leaf", True)),
    *(lambda: float(w), lambda: int(w), lambda: complex(w), lambda: w.item()),
)
for one in wrong:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% sizes that are no integers, and tuples where a tensor is meant
said = []
x = torch.ones(2, 6)
wrong = (
    *(lambda: x.view(2, 3.0, 2), lambda: x.view(2, "a"), lambda: x.view(2, x)),
    *(lambda: x.reshape(2, 6 / 2, 2), lambda: x.reshape(3.0), lambda: x.reshape(2.0, 6)),
    *(lambda: x.reshape((2, 3.0)), lambda: x.reshape(2, None), lambda: x.reshape((2,), (6,))),
    *(lambda: x.reshape(), lambda: x.expand(2.0, 6), lambda: x.expand((2, 6.0)), lambda: x.repeat("a")),
    *(lambda: x.permute(0, 1.0), lambda: x.permute([x]), lambda: x.new_zeros(2, 3.0)),
    *(lambda: torch.zeros(2, 3.0), lambda: torch.ones(3.0), lambda: torch.zeros(x)),
    *(lambda: torch.full((2, 3.0), 1), lambda: torch.reshape(x, (2, 3.0)), lambda: torch.full(2, 1)),
    *(lambda: x.transpose(0, 1.0), lambda: torch.transpose(x, 0, 1.0), lambda: x.unsqueeze(1.0)),
    *(lambda: x.flatten(1.0), lambda: x.mean((0, 1.0)), lambda: x.chunk(2.0)),
    *(lambda: F.layer_norm(x, 6), lambda: F.layer_norm(x, (6.0,)), lambda: F.layer_norm((x, x), (6,))),
    *(lambda: F.linear((x, x), x), lambda: F.relu((x,)), lambda: torch.exp([x]), lambda: torch.bmm((x,), x)),
    *(lambda: torch.matmul({}, x), lambda: torch.stack(y for y in (x, x)), lambda: torch.cat(x)),
    *(lambda: torch.cat(map(abs, (x, x))), lambda: torch.cat([x, (x,)])),
    *(lambda: x.unfold(), lambda: x.transpose(1), lambda: x.dot()),
    *(lambda: x @ 2, lambda: 2 @ x, lambda: x @ None, lambda: x @ [1.0], lambda: x + (1, 2)),
    *(lambda: F.softmax(x, axis=1), lambda: F.log_softmax(x, axis=1), lambda: F.glu(x, axis=1)),
)
for one in wrong:
    try:
        said.append(str(one().shape))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% tensors of what holds no numbers, and numbers at wrong places
said = []
x = torch.ones(2, 6)
wrong = (
    *(lambda: torch.tensor({}), lambda: torch.tensor([{}]), lambda: torch.tensor({1})),
    *(lambda: torch.tensor([x, x]), lambda: torch.tensor([x[0, 0], x[0, 1]]), lambda: torch.Tensor(2.5)),
    *(lambda: torch.tensor(nn.Linear(1, 1)), lambda: torch.tensor(None), lambda: torch.FloatTensor(2.5)),
    *(lambda: x[:, [0, 9]], lambda: x[[0, 1], [0, 9]], lambda: x[None, :, [9]], lambda: x[[0.5, 1]]),
    *(lambda: x.index_select(1, torch.tensor([6])), lambda: x.index_select(0, torch.tensor([2]))),
    *(lambda: x.__setitem__((slice(None), 0), torch.zeros(3)), lambda: x.__setitem__(0, torch.ones(2, 6))),
    *(lambda: x.__setitem__([0, 1], torch.zeros(3)), lambda: x.__setitem__(0, torch.ones(1, 6))),
    *(lambda: F.triplet_margin_loss(x, x[0], x), lambda: F.one_hot(torch.tensor([3]), 2)),
    *(lambda: F.binary_cross_entropy(x, x.long()), lambda: F.gaussian_nll_loss(x, x, -x)),
)
for one in wrong:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% the seed that a generator's state began with
torch.manual_seed(7)
with torch.random.fork_rng(devices=[]):
    torch.manual_seed(11)
    inner = torch.initial_seed()
state = torch.get_rng_state()
torch.manual_seed(13)
other = torch.initial_seed()
torch.set_rng_state(state)
r1 = torch.tensor([inner, other, torch.initial_seed()])

# %% what is no state of a generator
said = []
wrong = (None, [1], torch.ones(5), torch.ones(5, dtype=torch.uint8))
for state in wrong:
    for give in (torch.set_rng_state, torch.Generator().set_state):
        try:
            said.append(give(state))
        except Exception as error:
            said.append((type(error).__name__, str(error)))

# %% states that recurrent layers and cells are given
said = []
sequence, row = torch.ones(2, 3, 4), torch.ones(3, 4)
z = torch.zeros
gru, rnn, lstm = nn.GRU(4, 5, batch_first=True), nn.RNN(4, 5, 2), nn.LSTM(4, 5, bidirectional=True, proj_size=2)
wrong = [lambda h=h: gru(sequence, z(h)) for h in ((1, 3, 5), (1, 1, 5), (2, 2, 5), (2, 5), (1, 2, 4))]
wrong += [lambda h=h: rnn(row, z(h)) for h in ((2, 1, 5), (2, 4), (1, 5))]
pairs = (((2, 2), (2, 5)), ((2, 3, 2), (2, 5)), ((2, 3, 2), (2, 2, 5)), ((2, 3, 5), (2, 3, 2)))
wrong += [lambda h=h, c=c: lstm(sequence, (z(h), z(c))) for h, c in pairs]
wrong += [lambda: lstm(row, (z(2, 2), z(2, 2, 5))), lambda: lstm(row, [z(2, 3), z(2, 5)])]
for cell in (nn.RNNCell(4, 5), nn.GRUCell(4, 5)):
    wrong += [lambda h=h, cell=cell: cell(row, z(h)) for h in ((1, 5), (3, 1), (5,), (3, 3, 5))]
    wrong += [lambda cell=cell: cell(row[0], z(1, 5)), lambda cell=cell: cell(z(3, 5)), lambda cell=cell: cell(row[0], z(4))]
pairs = (((3, 5), (2, 5)), ((3, 4), (3, 5)), ((3, 5), (5,)), ((3, 3, 5), (3, 5)))
wrong += [lambda h=h, c=c: nn.LSTMCell(4, 5)(row, (z(h), z(c))) for h, c in pairs]
for one in wrong:
    try:
        said.append(type(one()).__name__)
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% masks of another shape and another type: the shape is seen first
said = []
x, half = torch.ones(2, 3), torch.ones(2, 5)
wrong = (
    *(lambda: x.masked_fill(half, 1.0), lambda: x.masked_fill(x, torch.ones(2)), lambda: x.masked_fill(half, torch.ones(2))),
    *(lambda: x.masked_fill_(half, 1.0), lambda: x.masked_fill_(x, torch.ones(2)), lambda: x.masked_scatter(half, x)),
    lambda: x.masked_scatter(x, x),
)
for one in wrong:
    try:
        said.append(str(one()))
    except Exception as error:
        said.append((type(error).__name__, str(error).split(":")[0]))
r1 = str(said)
