"""Gradients within a program: autograd.grad, torch.func, hooks, functions with a backward of their own."""

from leaves import count_of

# Functions of one tensor; each has derivatives everywhere its leaves are.
SMOOTH = ["({}).sin()", "({}).tanh()", "({}) ** 2", "({}) * ({})", "({}).exp() * 0.1", "F.gelu({})", "F.silu({})", "({}).sigmoid()"]
SMOOTH += ["({}).softmax(-1)", "F.layer_norm({}, [3])", "({}) @ W", "F.linear({}, W, b)", "({}).log_softmax(-1)", "({}) / (1 + ({}) ** 2)"]
SMOOTH += ["({}).cumsum(-1)", "({}) - ({}).mean(-1, keepdim=True)", "F.rms_norm({}, [3])", "({}).square().add(1).sqrt()", "({}).logsumexp(-1, keepdim=True)"]
SMOOTH += ["({}).clamp(-0.4, 0.6)", "F.relu({})", "({}).abs()", "({}).amax(-1)", "({})[..., 1:]", "({}).flip(-1)", "torch.cat([({}), ({}) * 2], -1)[..., :3]"]
SMOOTH += ["({}).masked_fill(M, 0.)", "torch.where(M, {}, 0.5)", "({}).pow(3)", "({}).std(-1, keepdim=True)", "({}).norm(dim=-1)", "({}).reciprocal() * 0.01"]
SMOOTH += ["F.softplus({})", "F.elu({})", "({}).transpose(0, -1)", "({}).unsqueeze(0).expand(2, *({}).shape)", "({}).prod(-1)", "({}).log1p().nan_to_num()"]
SMOOTH += ["torch.einsum('...i,ij->...j', {}, W)", "({}).var(-1, unbiased=False)", "F.normalize({}, dim=-1)", "({}).erf()", "({}).cos() * b"]
SMOOTH += ["torch.bmm(({}).unsqueeze(0), W.unsqueeze(0)).squeeze(0)", "F.mse_loss({}, M.float(), reduction='none')", "({}).repeat(2, 1)", "({}).roll(1, -1)"]
GIVEN = "W = torch.tensor([[0.5, -1.0, 0.2], [0.3, 0.1, -0.7], [1.0, 0.4, 0.6]])\nb = torch.tensor([0.1, -0.2, 0.3])\nM = torch.tensor([[True, False, True], [False, False, True]])"


def leaf(program, shape=(2, 3), grad=True):
    chance = program.chance
    data = [round(chance.gauss(0, 1), 3) for _ in range(count_of(shape))]
    return program.add_leaf({"dtype": "float32", "shape": list(shape), "data": data, "grad": grad})


def composed(chance, x, depth=None):
    text = x
    for _ in range(depth or chance.randint(1, 3)):
        text = chance.choice(SMOOTH).replace("{}", text)
    return text


def gradient(program):
    chance = program.chance
    x = leaf(program)
    y = leaf(program)
    program.run(GIVEN, 0)
    options = "".join(
        f", {key}={value}"
        for key, value in (("retain_graph", "True"), ("create_graph", "True"), ("allow_unused", "True"))
        if chance.random() < 0.4
    )
    made = composed(chance, chance.choice([x, f"({x} * {y})", f"({x} + {y})"]))
    name = f"r{program.made}"
    program.add(made)
    if name not in program.names:
        return
    form = chance.choice(["sum", "given", "ones", "hessian", "penalty"])
    if form == "sum":
        program.add(f"torch.autograd.grad({name}.sum(), [{x}, {y}]{options}, materialize_grads=True)")
    elif form == "given":
        program.add(f"torch.autograd.grad({name}, {x}, grad_outputs={name}.detach() * 0.5{options})")
    elif form == "ones":
        program.add(f"torch.autograd.grad(outputs={name}, inputs=({x},), grad_outputs=torch.ones_like({name}){options})[0]")
    else:
        first = f"r{program.made}"
        program.add(f"torch.autograd.grad(({name} ** 2).sum(), {x}, create_graph=True)[0]")
        if first not in program.names:
            return
        if form == "penalty":
            program.add(f"(({first}.norm(2, dim=-1) - 1) ** 2).mean()")
        else:
            program.add(f"torch.autograd.grad({first}.sum(), {x}, {chance.choice(['create_graph=True', 'retain_graph=True', ''])})[0]")


def transformed(program):
    """torch.func."""
    chance = program.chance
    x, y = leaf(program, grad=chance.random() < 0.5), leaf(program, grad=False)
    program.run(GIVEN, 0)
    one = composed(chance, "x")
    two = composed(chance, "x * y")
    rows = composed(chance, "x[None]")
    program.add(chance.choice([
        f"torch.func.grad(lambda x: ({one}).sum())({x})",
        f"torch.func.grad(lambda x, y: ({two}).sum(), argnums={chance.choice(['1', '(0, 1)', '0'])})({x}, {y})",
        f"torch.func.grad_and_value(lambda x: ({one}).mean())({x})",
        f"torch.func.grad(lambda x: (({one}).sum(), {one}), has_aux=True)({x})",
        f"torch.func.vjp(lambda x: {one}, {x})[0]",
        f"(lambda out, f: f(torch.ones_like(out)))(*torch.func.vjp(lambda x: {one}, {x}))",
        f"torch.func.jvp(lambda x: {one}, ({x},), ({y},))",
        f"torch.func.jacrev(lambda x: {one})({x})",
        f"torch.func.jacfwd(lambda x: {one})({x})",
        f"torch.func.hessian(lambda x: ({one}).sum())({x})",
        f"torch.func.vmap(lambda x: {rows.replace('M', 'M[:1]')})({x})",
        f"torch.vmap(lambda x, y: (x * y).sum(), in_dims={chance.choice(['0', '1', '(0, 0)', '(1, 1)'])})({x}, {y})",
        f"torch.vmap(lambda x: x.sin(), in_dims=1, out_dims={chance.choice(['0', '1', '-1'])})({x})",
        f"torch.vmap(lambda x, y: x @ y, in_dims=(0, None))({x}, {y}.mT)",
        f"torch.vmap(torch.func.grad(lambda x: (x ** 3).sum()))({x})",
        f"torch.vmap(torch.vmap(lambda x: x * 2))({x})",
        f"torch.autograd.functional.jacobian(lambda x: {one}, {x})",
        f"torch.autograd.functional.hessian(lambda x: ({one}).sum(), {x})",
        f"torch.autograd.functional.vjp(lambda x: {one}.sum(), {x})",
        f"torch.func.linearize(lambda x: {one}, {x})[0]",
    ]))


HOOKS = ["lambda g: g * 2", "lambda g: None", "lambda g: g.clamp(-1, 1)", "lambda g: g / g.norm().clamp(min=1e-3)", "lambda g: g + 1", "lambda g: g.flip(-1)"]


def hooked(program):
    chance = program.chance
    x = leaf(program)
    program.run(GIVEN, 0)
    name = f"r{program.made}"
    program.add(composed(chance, x))
    if name not in program.names:
        return
    hook = chance.choice(HOOKS)
    target = chance.choice([x, name])
    program.run(f"h = {target}.register_hook({hook})", 0.4)
    if chance.random() < 0.2:
        program.run("h.remove()", 0.4)
    if chance.random() < 0.3:
        program.run(f"_ = {target}.register_hook({chance.choice(HOOKS)})", 0.4)
    program.add(composed(chance, name, 1))


FUNCTIONS = [
    """class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * x.cos() * 2""",
    """class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()
    @staticmethod
    def backward(ctx, g):
        return g""",
    """class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=0.5):
        ctx.scale = scale
        return x.view_as(x)
    @staticmethod
    def backward(ctx, g):
        return -ctx.scale * g, None""",
    """class Own(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * 2, x.sum()
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g, s):
        return g * 3 + s""",
    """class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = x.clamp(min=0)
        ctx.mark_non_differentiable(out > 0)
        ctx.save_for_backward(out)
        return out
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, g):
        out, = ctx.saved_tensors
        assert ctx.needs_input_grad == (True,)
        return g * (out > 0)""",
    """class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        x = x.clone()
        x.mul_(2)
        return x
    @staticmethod
    def backward(ctx, g):
        return g.expand(ctx.shape).clone()""",
]


def own_function(program):
    chance = program.chance
    x = leaf(program)
    program.run(GIVEN, 0)
    program.run(chance.choice(FUNCTIONS), 0)
    name = f"r{program.made}"
    program.add(f"Own.apply({composed(chance, x, 1)})")
    if name in program.names and not isinstance(program.names[name], tuple):
        program.add(composed(chance, name, 1))


def within(program):
    """Contexts, detached parts, checkpoints, `backward` inside of the step."""
    chance = program.chance
    x, y = leaf(program), leaf(program)
    program.run(GIVEN, 0)
    made = composed(chance, "x")
    form = chance.choice(["checkpoint", "checkpoint", "backward", "straight", "no_grad", "loop", "retained", "saved"])
    if form == "checkpoint":
        reentrant = chance.choice(["True", "False"])
        program.add(f"torch.utils.checkpoint.checkpoint(lambda x: {made}, {x}, use_reentrant={reentrant})")
    elif form == "backward":
        name = f"w{program.made}"
        program.run(f"{name} = {x}.detach().clone().requires_grad_()", 0)
        program.run(f"x = {name}", 0)
        program.run(f"({made}).{chance.choice(['sum', 'mean'])}().backward({chance.choice(['', 'retain_graph=True'])})", 0.4)
        program.add(f"{name}.grad.clone()")
    elif form == "straight":
        program.add(f"{x} + ({x}.round() - {x}).detach()")
        program.add(f"({x}.round() - {x}).detach() * {y}")
    elif form == "no_grad":
        made = composed(chance, x)
        context = chance.choice(["torch.no_grad()", "torch.enable_grad()", "torch.set_grad_enabled(False)", "torch.inference_mode()"])
        program.run(f"with {context}: r{program.made} = {made}", 0.4)
        program.made += 1
        program.add(f"r{program.made - 1} * {y}")
    elif form == "loop":
        name = f"r{program.made}"
        program.made += 1
        body = composed(chance, name, 1)
        program.run(f"{name} = {x}\nfor k in range({chance.randint(1, 4)}):\n    if {name}.sum().item() > 100: break\n    {name} = {name} + 0.1 * ({y} * k)\n    {name} = {name}.where({name} > -5, {name} * 0.5)", 0.4)
    elif form == "retained":
        name = f"w{program.made}"
        program.run(f"{name} = {x}.detach().requires_grad_()", 0)
        program.run(f"m{program.made} = {name} * 2\nm{program.made}.retain_grad()\n(m{program.made} ** 2).sum().backward()", 0.4)
        program.add(f"(m{program.made}.grad.clone(), {name}.grad.clone(), m{program.made}.is_leaf)")
    else:
        program.add(f"(lambda x: {made})({x}).detach().requires_grad_({chance.choice(['True', 'False'])})")


def add_derivative(program):
    program.chance.choice([gradient, gradient, transformed, transformed, hooked, own_function, within])(program)
