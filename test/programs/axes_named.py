"""Axes by name or number: twice, too many, out of range; numbers in einops' patterns."""

# %% axes that are named twice or do not pair
x = torch.ones(2, 3, 4)
said = []
for call in (
    *(lambda: x.permute(0, 1, 1), lambda: torch.permute(x, (0, -1, 2)), lambda: x.permute(2, 0, 1).shape),
    *(lambda: x.movedim((0, 0), (0, 1)), lambda: x.moveaxis((0, 1), (0, -3)), lambda: x.movedim((0,), (0, 1))),
    *(lambda: x.movedim((0, 5), (0, 1)), lambda: x.squeeze((0, -3)), lambda: x.sum((1, -2))),
    *(lambda: torch.tensordot(x, x, ([0, 0], [0, 0])), lambda: torch.tensordot(x, x, ([0, 1], [0, 1])).shape),
):
    try:
        said.append(str(call()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% places that are not there
x = torch.arange(24.0).view(2, 3, 4)
said = []
for call in (
    *(lambda: x.select(1, 3), lambda: torch.select(x, 0, -3), lambda: x.select(1, -3).shape, lambda: x[:, 3]),
    *(lambda: x.index_select(1, torch.tensor([3])), lambda: x.index_select(0, torch.tensor([2]))),
    *(lambda: x.index_select(2, torch.tensor([4])), lambda: x[0].index_select(1, torch.tensor([-1]))),
    *(lambda: x["a"], lambda: x[1.5], lambda: x[0, {}], lambda: x[torch.tensor(1.5)], lambda: x[torch.ones(1).half()], lambda: x[torch.tensor([0]).short()]),
):
    try:
        said.append(str(call()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% several ellipses
# leaf x float32 2,3,4
r1 = x[..., ...]
r2 = x[..., 0, ...]
r3 = x[0, ..., ...]
r4 = x[..., None, ...]
try:
    x[..., ..., 0]
except IndexError as error:
    r5 = type(error).__name__
try:
    x[..., ..., None]
except IndexError as error:
    r6 = type(error).__name__

# %% einops takes axes of a number
# leaf x float32 2,4,4
from einops import rearrange, reduce, repeat
from einops.layers.torch import Reduce

r1 = reduce(x, "b (y 2) (x 2) -> b y x", "max")
r2 = reduce(x, "b (2 h) (2 w) -> h w b 1", "mean")
r3 = Reduce("2 (y 2) w -> y w", "sum")(x)
r4 = repeat(x, "b h w -> b (h 2) (w 3) 2")
said = []
for call in (
    *(lambda: rearrange(x, "2 h w -> h w 2"), lambda: repeat(x, "2 h w -> h w 2")),
    *(lambda: reduce(x, "b h w -> b 2", "max"), lambda: reduce(x, "b (h 3) w -> b h w", "sum")),
):
    try:
        said.append(str(call()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r5 = str(said)
