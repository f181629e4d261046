"""Calls that make tensors of sizes and numbers alone."""

from leaves import TYPES, shape_of

KINDS = [name for name in dict.fromkeys(TYPES)]
FILLS = ["0", "1", "2", "-1", "2.5", "-0.5", "True", "False", "float('inf')", "1e10", "3.0"]
STEPS = ["0.1", "0.25", "0.3", "1", "2", "1.0", "0.5", "-1", "-0.5", "3"]


def typed(chance, share=0.5):
    return f", dtype=torch.{chance.choice(KINDS)}" if chance.random() < share else ""


def tracked(chance):
    return ", requires_grad=True" if chance.random() < 0.15 else ""


def rare(chance):
    """Keyword arguments that change nothing."""
    form = chance.choice([""] * 6 + ["device='cpu'", "device=torch.device('cpu')", "layout=torch.strided"])
    return f", {form}" if form else ""


def sizes(chance):
    shape = shape_of(chance)
    if not shape:
        return "()"
    return chance.choice([", ".join(map(str, shape)), str(tuple(shape)), str(shape), f"torch.Size({shape})"])


def filled(program):
    chance = program.chance
    options = typed(chance) + tracked(chance) + rare(chance)
    return chance.choice([
        f"torch.zeros({sizes(chance)}{options})",
        f"torch.ones({sizes(chance)}{options})",
        f"torch.full({tuple(shape_of(chance))}, {chance.choice(FILLS)}{options})",
        f"torch.full(size={tuple(shape_of(chance))}, fill_value={chance.choice(FILLS)}{options})",
        f"torch.empty({sizes(chance)}{options}).fill_({chance.choice(FILLS)})",
        f"torch.scalar_tensor({chance.choice(FILLS)}{options})",
    ])


def ranged(program):
    chance = program.chance
    start, end = chance.randint(-3, 2), chance.randint(1, 6)
    low, high = chance.choice(FILLS[:6]), chance.choice(["1", "5", "2.5", "-2", "0"])
    options = typed(chance) + rare(chance)
    steps = chance.choice([0, 1, 2, 3, 5, 7])
    return chance.choice([
        f"torch.arange({end}{options})",
        f"torch.arange({start}, {end}{options})",
        f"torch.arange({low}, {high}, {chance.choice(STEPS)}{options})",
        f"torch.arange(0, {chance.choice(['1', '2.0', '1.5'])}, step={chance.choice(STEPS)}{options})",
        f"torch.arange({end}, {start}, -1{options})",
        f"torch.arange(start={start}, end={end}{options})",
        f"torch.linspace({low}, {high}, {steps}{options})",
        f"torch.linspace(start={low}, end={high}, steps={steps}{options})",
        f"torch.logspace({start}, {high}, {steps}{typed(chance, 0.3)})",
        f"torch.logspace(-1, 1, steps={steps}, base={chance.choice(['2', '2.0', '10', '0.5'])})",
        f"torch.range({start}, {end}, {chance.choice(STEPS)})",
    ])


def patterned(program):
    chance = program.chance
    rows, columns = chance.randint(0, 4), chance.randint(0, 4)
    offset = chance.randint(-2, 2)
    return chance.choice([
        f"torch.eye({rows}{typed(chance)})",
        f"torch.eye({rows}, {columns}{typed(chance)})",
        f"torch.tril_indices({rows}, {columns}{chance.choice(['', f', {offset}', f', offset={offset}'])})",
        f"torch.triu_indices({rows}, {columns}, {offset}{chance.choice(['', ', dtype=torch.int32'])})",
        f"torch.tril(torch.ones({rows}, {columns}{typed(chance)}), {offset})",
        f"torch.triu(torch.full(({rows}, {columns}), float('-inf')), diagonal={offset})",
        f"torch.ones({rows}, {columns}{typed(chance)}).tril(diagonal={offset})",
        f"torch.ones({rows}, {columns}, dtype=torch.bool).triu({offset})",
        f"torch.hann_window({rows + 1}{chance.choice(['', ', periodic=False'])})",
        f"torch.hamming_window({rows + 1}{chance.choice(['', ', False, 0.5, 0.4'])})",
        f"torch.meshgrid(torch.arange({rows}), torch.arange({columns}), indexing='{chance.choice(['ij', 'xy'])}')",
        f"torch.cartesian_prod(torch.arange({rows}), torch.arange({columns}))",
        f"torch.combinations(torch.arange({rows}), r={chance.randint(1, 3)}, with_replacement={chance.random() < 0.5})",
        f"torch.vander(torch.arange({rows}), {columns})",
        f"torch.block_diag(torch.ones({rows}, 2), torch.eye({columns}))",
        f"torch.complex(torch.arange({rows}.), torch.ones({rows}))",
        f"torch.polar(torch.ones({rows}), torch.arange({rows}.))",
    ])


def listed(program):
    """`torch.tensor` of nested lists of numbers and tensors."""
    chance = program.chance
    number = lambda: chance.choice(["1", "2", "0", "-3", "1.5", "True", "False", "2.0", "1e-3"])
    row = lambda count: "[" + ", ".join(number() for _ in range(count)) + "]"
    count = chance.randint(0, 3)
    return chance.choice([
        f"torch.tensor({number()}{typed(chance)})",
        f"torch.tensor({row(count)}{typed(chance)}{tracked(chance)})",
        f"torch.tensor([{row(count)}, {row(count)}]{typed(chance)})",
        f"torch.tensor([{row(count)}, {row(2)}])",
        f"torch.tensor(({number()}, {number()}){typed(chance)})",
        f"torch.tensor([torch.tensor({number()}), {number()}]{typed(chance)})",
        f"torch.tensor([[torch.tensor({number()})], [torch.tensor({number()})]])",
        f"torch.as_tensor({row(count)}{typed(chance)})",
        f"torch.asarray({row(count)}{typed(chance)})",
        f"torch.tensor(range({count}){typed(chance)})",
        f"torch.{chance.choice(['FloatTensor', 'LongTensor', 'Tensor', 'BoolTensor'])}({row(count)})",
        f"torch.Tensor({count}, 2).zero_()",
        f"torch.tensor([{number()}j, 1])",
        f"torch.tensor(np.array({row(count)})).double()",
        f"torch.from_numpy(np.arange({count}))",
        f"torch.from_numpy(np.ones(({count}, 2), dtype=np.float32))",
    ])


def like(program):
    chance = program.chance
    x = program.operand(shape_of(chance), chance.choice(KINDS))
    turned = chance.choice(["", "", ".mT", "[..., ::2]", ".unsqueeze(0)"]) if "float" in x else ""
    options = typed(chance, 0.4) + tracked(chance)
    return chance.choice([
        f"torch.zeros_like({x}{turned}{options})",
        f"torch.ones_like({x}{options})",
        f"torch.full_like({x}, {chance.choice(FILLS)}{options})",
        f"torch.empty_like({x}{options}).fill_(1)",
        f"{x}.new_zeros({sizes(chance)}{options})",
        f"{x}.new_ones({sizes(chance)}{options})",
        f"{x}.new_full({tuple(shape_of(chance))}, {chance.choice(FILLS)}{options})",
        f"{x}.new_tensor([1, 2.5]{options})",
        f"{x}.new_tensor({chance.choice(FILLS)})",
        f"{x}.new_empty({sizes(chance)}{options}).zero_()",
        f"{x}.new({chance.randint(0, 3)}, 2).fill_(1)",
        f"torch.zeros({x}.shape{options})",
        f"torch.ones({x}.size(){options})",
        f"torch.zeros_like({x}, memory_format=torch.{chance.choice(['preserve', 'contiguous'])}_format)",
    ])


def drawn(program):
    """Random numbers after a seed of their own."""
    chance = program.chance
    count = chance.choice([1, 2, 7, 15, 16, 17, 33])
    real = chance.choice(["", ", dtype=torch.float64", ", dtype=torch.float16", ", dtype=torch.bfloat16"])
    made = chance.choice([
        f"torch.rand({count}{real})",
        f"torch.randn({count}{real})",
        f"torch.randint({chance.randint(1, 9)}, ({count},){typed(chance, 0.2)})",
        f"torch.randint(-3, 5, ({count}, 2))",
        f"torch.randint(low=2, high=9, size=({count},))",
        f"torch.randperm({count})",
        f"torch.rand_like(torch.zeros({count}{real}))",
        f"torch.randn_like(torch.zeros({count}{real}))",
        f"torch.randint_like(torch.zeros({count}{real}), {chance.randint(1, 9)})",
        f"torch.normal(0.5, 2.0, ({count},))",
        f"torch.normal(torch.zeros({count}), torch.ones({count}))",
        f"torch.bernoulli(torch.full(({count},), 0.4))",
        f"torch.empty({count}{real}).uniform_(-1, 2)",
        f"torch.empty({count}{real}).normal_(mean=1, std=0.5)",
        f"torch.empty({count}).{chance.choice(['exponential_(2.0)', 'bernoulli_(0.3)', 'cauchy_()', 'log_normal_()', 'geometric_(0.4)'])}",
        f"torch.empty({count}, dtype=torch.int64).random_({chance.choice(['', '5', '-2, 9'])})",
        f"torch.multinomial(torch.tensor([0.1, 0.5, 0.2, 0.2]), {chance.randint(1, 4)}{chance.choice(['', ', replacement=True', ', True'])})",
        f"torch.randn({count}, generator=torch.Generator().manual_seed({count}))",
        f"torch.nn.functional.dropout(torch.ones({count}), {chance.choice(['0.1', '0.5', '1.0', '0'])})",
        f"torch.poisson(torch.full(({count},), 2.5))",
    ])
    program.run(f"_ = torch.manual_seed({chance.randint(0, 99)})", 0)
    return made


FORMS = [filled, ranged, ranged, patterned, listed, like, like, drawn]


def add_factory(program):
    program.add(program.chance.choice(FORMS)(program))
