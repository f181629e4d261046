"""Classes of modules as people write them: layers in lists and dicts, hooks, several inputs, shared and frozen parts."""

from leaves import count_of

WIDTH = 4
LAYERS = ["nn.Linear(4, 4)", "nn.Linear(4, 4, bias=False)", "nn.LayerNorm(4)", "nn.ReLU()", "nn.GELU()", "nn.Tanh()", "nn.Identity()"]
LAYERS += ["nn.Dropout(0.0)", "nn.SiLU()", "nn.Softmax(dim=-1)", "nn.RMSNorm(4)", "nn.LeakyReLU(0.2)", "nn.ELU(0.5)", "nn.Softplus()"]
LAYERS += ["nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 4))", "nn.LayerNorm(4, elementwise_affine=False)", "nn.Hardtanh(-1, 1)"]
LAYERS += ["nn.Sequential(nn.LayerNorm(4), nn.Linear(4, 8), nn.GLU(dim=-1))", "nn.PReLU()", "nn.Sigmoid()", "nn.CELU()", "nn.Mish()"]
LAYERS += ["nn.GroupNorm(2, 3)", "nn.Conv1d(3, 3, 3, padding=1)", "nn.Conv1d(3, 3, 1, groups=3)", "nn.AvgPool1d(3, 1, 1)", "nn.BatchNorm1d(3)"]
LAYERS += ["nn.Conv1d(3, 3, 3, padding='same', padding_mode='circular')", "nn.InstanceNorm1d(3)", "nn.MaxPool1d(3, 1, 1)", "nn.Flatten(2)"]
LAYERS += ["nn.Upsample(scale_factor=1)", "nn.ConvTranspose1d(3, 3, 3, padding=1)", "nn.Sequential()", "nn.Unflatten(2, (4,))"]
LAYERS += ["nn.utils.parametrizations.weight_norm(nn.Linear(4, 4))", "nn.Bilinear(4, 4, 4)", "nn.MultiheadAttention(4, 2, batch_first=True)"]
LAYERS += ["nn.GRU(4, 4, batch_first=True)", "nn.LSTM(4, 4, batch_first=True)", "nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)"]
STEPS = ["x = x + self.{0}(x)", "x = self.{0}(x)", "x = self.{0}(x) * self.scale", "x = x * torch.sigmoid(self.{0}(x))", "x = self.{0}(x.clone())"]
STEPS += ["x = torch.cat([x, self.{0}(x)], dim=-1)[..., :4]", "x = (x + self.{0}(x)) / 2 ** 0.5", "x = self.{0}(x).add_(x)", "x = self.{0}(input=x)"]
STEPS += ["x = x - self.{0}(x).mean(-1, keepdim=True)", "x = self.{0}(x.transpose(0, 1)).transpose(0, 1)", "x = x + self.{0}(x.detach())"]
STEPS += ["x = self.{0}(self.{0}(x))", "x = self.{0}(x) if self.training else x", "x = x.masked_fill(self.mask, 0.0) + self.{0}(x)", "y = self.{0}(x); x = x + y"]
STEPS += ["x = torch.utils.checkpoint.checkpoint(self.{0}, x, use_reentrant=False)", "x = torch.where(x > 0, x, self.{0}(x))"]
STEPS += ["with torch.no_grad(): x = x + self.{0}(x)", "x = torch.stack([self.{0}(x), x]).amax(0)", "x = self.{0}(x[:, :2]) if False else self.{0}(x)"]
OF_PAIRS = {"nn.Bilinear(4, 4, 4)": "{0}(x, x)", "nn.MultiheadAttention(4, 2, batch_first=True)": "{0}(x, x, x)[0]"}
OF_PAIRS |= {"nn.GRU(4, 4, batch_first=True)": "{0}(x)[0]", "nn.LSTM(4, 4, batch_first=True)": "{0}(x)[0]"}
ENDS = ["x", "x.mean(-1)", "(x, x.sum())", "{'x': x, 'sum': x.sum()}", "x.flatten(1)", "F.log_softmax(x, dim=-1)", "x @ self.head.T", "[x, x * 2]"]
HOOKS = [
    "{m}.register_forward_hook(lambda module, args, output: output * 2 if isinstance(output, torch.Tensor) else None)",
    "{m}.register_forward_hook(lambda module, args, kwargs, output: None, with_kwargs=True)",
    "{m}.register_forward_pre_hook(lambda module, args: tuple(a * 0.5 if isinstance(a, torch.Tensor) else a for a in args))",
    "{m}.register_forward_pre_hook(lambda module, args, kwargs: (args, kwargs), with_kwargs=True)",
    "{m}.register_full_backward_hook(lambda module, grad_input, grad_output: tuple(g * 3 if g is not None else None for g in grad_input))",
    "{m}.register_full_backward_hook(lambda module, grad_input, grad_output: seen.append(grad_output[0].shape))",
    "{m}.register_full_backward_pre_hook(lambda module, grad_output: tuple(g * 2 if g is not None else None for g in grad_output))",
    "{m}.register_forward_hook(lambda module, args, output: seen.append(type(module).__name__))",
    "{m}.register_forward_hook(lambda module, args, output: seen.append(len(args)), prepend=True)",
    "for p in {m}.parameters(): p.register_hook(lambda g: g * 0.5)",
    "handle = {m}.register_forward_hook(lambda module, args, output: output + 1); handle.remove()",
]
SETTINGS = ["{m}.eval()", "{m}.train()", "{m}.requires_grad_(False)", "{m}.double()", "{m}.half()", "{m}.bfloat16()", "{m}.to(torch.float64)", "{m}.float()"]
SETTINGS += ["{m}.apply(lambda one: nn.init.constant_(one.weight, 0.1) if isinstance(one, nn.Linear) else None)", "{m}.zero_grad()"]
SETTINGS += ["for p in {m}.parameters(): p.data.mul_(0.5)", "for n, p in {m}.named_parameters():\n    if p.dim() > 1: nn.init.xavier_uniform_(p)"]
SETTINGS += ["with torch.no_grad():\n    for p in {m}.parameters(): p.add_(0.01)", "{m}.load_state_dict({m}.state_dict())", "{m} = __import__('copy').deepcopy({m})"]
SETTINGS += ["for p in list({m}.parameters())[:1]: p.requires_grad = False", "{m}.scale.data.fill_(2.0)", "{m}.first = nn.Linear(4, 4)", "del {m}.extra"]
SETTINGS += ["nn.init.normal_(next({m}.parameters()), std=0.1)", "{m}.register_buffer('extra', torch.ones(4))", "{m}.mask = ~{m}.mask", "{m}.head.requires_grad_(False)"]
QUESTIONS = ["[n for n, _ in {m}.named_parameters()]", "[n for n, _ in {m}.named_modules()]", "[n for n, _ in {m}.named_buffers()]", "list({m}.state_dict())"]
QUESTIONS += ["sum(p.numel() for p in {m}.parameters() if p.requires_grad)", "str({m})", "[tuple(p.shape) for p in {m}.parameters()]", "{m}.training"]
QUESTIONS += ["[type(c).__name__ for c in {m}.children()]", "len(list({m}.modules()))", "next({m}.parameters()).dtype", "{m}.get_submodule('first')", "{m}.scale"]
QUESTIONS += ["{m}.head.sum()", "[p.is_leaf for p in {m}.parameters()]", "{m}.state_dict()['scale']", "seen", "{m}.mask.dtype", "hasattr({m}, 'extra')", "{m}.missing"]


def class_of(chance, number):
    """The text of a class, and whether its forward takes a second input."""
    layers = [chance.choice(LAYERS) for _ in range(chance.randint(1, 4))]
    kind = chance.choice(["attributes", "list", "dict", "sequential"])
    takes_two = chance.random() < 0.4
    lines = [f"class Net{number}(nn.Module):", "    def __init__(self):", "        super().__init__()"]
    lines.append(f"        self.first = {chance.choice(LAYERS[:4])}")
    if kind == "attributes":
        places = ["first"] + [f"layer{at}" for at in range(len(layers))]
        lines += [f"        self.layer{at} = {text}" for at, text in enumerate(layers)]
    elif kind == "list":
        places = [f"layers[{at}]" for at in range(len(layers))]
        lines.append(f"        self.layers = nn.ModuleList([{', '.join(layers)}])")
    elif kind == "dict":
        places = [f"parts['k{at}']" for at in range(len(layers))]
        lines.append("        self.parts = nn.ModuleDict({" + ", ".join(f"'k{at}': {text}" for at, text in enumerate(layers)) + "})")
    else:
        plain = [text for text in layers if text not in OF_PAIRS]
        layers, places = ["nn.Sequential()"], ["body"]
        lines.append(f"        self.body = nn.Sequential({', '.join(plain)})")
    lines.append(f"        self.scale = nn.Parameter(torch.{chance.choice(['ones(4)', 'tensor(0.5)', 'randn(4)', 'full((1, 1, 4), 0.3)'])})")
    lines.append("        self.head = nn.Parameter(torch.randn(5, 4) * 0.3)")
    lines.append(f"        self.register_buffer('mask', torch.{chance.choice(['tensor([True, False, False, True])', 'zeros(4, dtype=torch.bool)'])}{chance.choice(['', ', persistent=False'])})")
    if chance.random() < 0.3 and kind == "attributes":
        lines.append("        self.layer0 = self.first")
    lines.append(f"    def forward(self, x{', other=None' if takes_two else ''}):")
    if takes_two:
        lines.append(f"        x = x {chance.choice(['+', '*', '-'])} other if other is not None else x")
    named = dict(zip(places[-len(layers) :], layers))
    for place in places:
        step = chance.choice(STEPS)
        call = OF_PAIRS.get(named.get(place, ""))
        if call:
            step = "x = x + self." + call
        lines.append("        " + step.replace("{0}", place))
    lines.append(f"        return {chance.choice(ENDS)}")
    return "\n".join(lines), takes_two


def input_of(program):
    chance = program.chance
    shape = [chance.randint(1, 3), 3, WIDTH]
    data = [round(chance.gauss(0, 1), 3) for _ in range(count_of(shape))]
    kind = chance.choice(["float32"] * 8 + ["float64", "bfloat16"])
    return program.add_leaf({"dtype": kind, "shape": shape, "data": data, "grad": chance.random() < 0.6}), shape


def add_network(program):
    chance = program.chance
    number = program.made
    text, takes_two = class_of(chance, number)
    program.run(text, 0)
    program.run("seen = []", 0)
    m = f"net{number}"
    if not program.run(f"torch.manual_seed(0); {m} = Net{number}()", 0):
        return
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        program.run(chance.choice(SETTINGS).replace("{m}", m), 0.3)
    if chance.random() < 0.5:
        parts = [f"{m}", f"{m}.first", f"list({m}.children())[-1]", f"{m}.first"]
        hook = chance.choice(HOOKS)
        program.run(hook.replace("{m}", chance.choice(parts)), 0.3)
    x, shape = input_of(program)
    second = ""
    if takes_two and chance.random() < 0.8:
        data = [round(chance.gauss(0, 1), 3) for _ in range(count_of(shape))]
        other = program.add_leaf({"dtype": "float32", "shape": shape, "data": data, "grad": chance.random() < 0.5})
        second = chance.choice([f", {other}", f", other={other}", f", {other}[:1]", f", {other}.mean()", ", 2.0"])
    program.add(f"{m}({x}{second})")
    form = chance.random()
    if form < 0.4:
        program.add(chance.choice(QUESTIONS).replace("{m}", m))
    elif form < 0.5:
        program.add(f"{m}({x}{second})")
    elif form < 0.6:
        program.add(f"torch.func.functional_call({m}, dict({m}.named_parameters()), ({x},))")
