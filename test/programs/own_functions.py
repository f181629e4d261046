"""Functions with a backward of their own (torch.autograd.Function)."""

# %% what was saved and edited within forward
# leaf x float32 4


class InPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.relu_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, gradient):
        (kept,) = ctx.saved_tensors
        return gradient * kept


class SavedFirst(InPlace):
    @staticmethod
    def forward(ctx, x):
        y = x.clone()
        ctx.save_for_backward(y)
        return y.relu_() * 1


r1 = InPlace.apply(x * 2)
r2 = SavedFirst.apply(x * 3)
y = x * 1
r3 = InPlace.apply(y) is y

# %% a saved output has its history
# leaf x float32 3


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.exp()
        ctx.save_for_backward(ctx.y)
        return ctx.y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return gradient * (y + ctx.y) / 2


y = Exp.apply(x)
(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
r1 = g * g
r2 = (type(y.grad_fn).__name__, y.grad_fn.name(), str(y.sum() * 0), y.grad_fn.saved_tensors[0].tolist())
y = Exp.apply(x)
y.add_(1)
try:
    y.sum().backward()
except RuntimeError as error:
    r3 = str(error)
y = Exp.apply(x).sum()
torch.autograd.grad(y, x)
try:
    torch.autograd.grad(y, x)
except RuntimeError as error:
    r4 = str(error)

# %% gradients in another shape and type
# leaf x float32 2,3


class Given(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, given):
        ctx.given = given
        return x * 1

    @staticmethod
    def backward(ctx, gradient):
        return ctx.given(gradient), None


wide = Given.apply(x, lambda g: g.expand(4, 2, 3))
double = Given.apply(x, lambda g: g.double() * 2)
whole = Given.apply(x, lambda g: g.long())
r1 = torch.autograd.grad(wide.sum(), x)[0]
r2 = torch.autograd.grad(double.sum(), x)[0]
r3 = torch.autograd.grad(whole.sum(), x)[0]
said = []
for given in (
    lambda g: g[:1],
    lambda g: g.new_ones(3, 2),
    lambda g: 3.0,
    lambda g: [g],
    lambda g: (g, g),
):
    try:
        said.append(torch.autograd.grad(Given.apply(x, given).sum(), x))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r4 = str(said)

# %% gradients of too many and of what is no tensor
# leaf x float32 2


class Many(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=2.0):
        return x * scale

    @staticmethod
    def backward(ctx, gradient):
        return gradient, gradient


said = []
for made in (lambda: Many.apply(x), lambda: Many.apply(x, 2.0), lambda: Many.apply(x, x)):
    try:
        said.append(str(torch.autograd.grad(made().sum(), x)))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% outputs without a gradient
# leaf x float32 3
seen = []


class Sorted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        places = x.argsort()
        ctx.mark_non_differentiable(places)
        return x * 1, places, x + 1, "text"

    @staticmethod
    def backward(ctx, *gradients):
        seen.append([g if g is None else (g.dtype, g.tolist()) for g in gradients])
        return gradients[0]


class Sparing(Sorted):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return Sorted.forward(ctx, x)


for kind in (Sorted, Sparing):
    kind.apply(x)[0].sum().backward()
r1 = str(seen)

# %% what forward may not do
# leaf x float32 3


class Edits(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, how):
        return how(ctx, x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


def edits(ctx, x):
    ctx.mark_dirty(x.mul_(2))
    return x


def forgets(ctx, x):
    ctx.mark_dirty(x.mul_(2))
    return x * 1


def saves_number(ctx, x):
    ctx.save_for_backward(x, 3)
    return x * 1


said = []
for made in (
    lambda: Edits.apply(x, edits),
    lambda: Edits.apply(x * 1, forgets),
    lambda: Edits.apply(x * 1, saves_number),
    lambda: Edits()(x, edits),
    lambda: Edits.apply(x, edit=edits),
):
    try:
        said.append(str(made()))
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% arguments by name, and defaults
# leaf x float32 3
seen = []


class Named(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=2.0, shift=0.0):
        seen.append(ctx.needs_input_grad)
        return x * scale + shift

    @staticmethod
    def backward(ctx, gradient):
        return (gradient * 3, None, None)[: len(ctx.needs_input_grad)]


class SetUp(Named):
    @staticmethod
    def forward(x, scale=2.0, shift=0.0):
        return x * scale + shift

    @staticmethod
    def setup_context(ctx, inputs, output):
        seen.append((len(inputs), ctx.needs_input_grad))


for kind in (Named, SetUp):
    for made in (lambda: kind.apply(x=x), lambda: kind.apply(x, shift=1.0, scale=x.detach()), lambda: kind.apply(x)):
        seen.append(torch.autograd.grad(made().sum(), x)[0].tolist())
r1 = str(seen)

# %% differentiable once
# leaf x float32 3


class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        return gradient * 3 * ctx.saved_tensors[0] ** 2


r1 = Once.apply(x)
(g,) = torch.autograd.grad(Once.apply(x).sum(), x, create_graph=True)
r2 = g.requires_grad
y = Once.apply(x)
(g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
r3 = g.requires_grad
try:
    g.sum().backward()
except RuntimeError as error:
    r4 = str(error)

# %% operators of one's own called by keywords: a gradient for each argument, defaults too
# leaf x float32 4
# leaf y float32 4


@torch.library.custom_op("mine::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: float = 3.0, shift: torch.Tensor | None = None) -> torch.Tensor:
    return x * factor if shift is None else x * factor + shift


def keep(ctx, inputs, output):
    ctx.factor, ctx.shifts = inputs[1], inputs[2] is not None


def backward(ctx, gradient):
    return gradient * ctx.factor, None, gradient * 2 if ctx.shifts else None


scaled.register_autograd(backward, setup_context=keep)
r1 = scaled(x)
r2 = scaled(x, shift=y)
r3 = scaled(shift=x, x=y, factor=0.5)

# %% own functions under autocast, whose backward runs as forward did
# leaf x float32 3,4
# leaf w float32 4,4
from torch.amp import custom_bwd, custom_fwd


def product(cast):
    class Product(torch.autograd.Function):
        @staticmethod
        @custom_fwd(device_type="cpu", cast_inputs=cast)
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            seen.append((x.dtype, torch.is_autocast_enabled("cpu")))
            return x @ w

        @staticmethod
        @custom_bwd(device_type="cpu")
        def backward(ctx, g):
            x, w = ctx.saved_tensors
            seen.append((g.dtype, x.dtype, torch.is_autocast_enabled("cpu")))
            return g @ w.t(), x.t() @ g

    return Product


seen = []
with torch.autocast("cpu", dtype=torch.bfloat16):
    r1 = product(None).apply(x, w)
    r2 = product(torch.float32).apply(x, w)
r3 = product(torch.bfloat16).apply(x, w)
(r1.float() + r2 * r3).sum().backward()
r4 = str(seen)
