"""Python's operators on tensors, 0-dim tensors and numbers of all types."""

from leaves import TYPES, fitting_shape, shape_of

KINDS = list(dict.fromkeys(TYPES))
BINARY = "+ - * / // % ** < <= > >= == != & | ^ << >> @".split()
NUMBERS = ["0", "1", "2", "-1", "3", "0.5", "-1.5", "2.0", "True", "False", "1j", "1e20", "300"]
UNARY = ["-{}", "+{}", "~{}", "abs({})", "{}.neg()", "pow({}, 2)", "divmod({}, 2)", "round({})", "{} and 1"]
UNARY += ["not {}", "bool({})", "int({})", "float({})", "complex({})", "len({})", "{}.item()", "{}.tolist()"]
UNARY += ["sum({})", "max({})", "min({})", "list({})", "tuple({})", "sorted({})", "any({})", "all({})"]
UNARY += ["range({})", "[0, 1, 2][{}]", "hash({}) == hash({})", "bin({})", "math.sqrt({})", "math.floor({})"]
UNARY += ["1 if {} else 0", "{} in [1, 2]", "2 in {}", "[1, 2] * {}", "f'{{{}}}'", "'%d' % {}", "round({}, 2)"]
CALLS = "add sub mul div true_divide floor_divide remainder fmod pow maximum minimum atan2 eq ne lt le gt ge "
CALLS += "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift hypot copysign "
CALLS += "fmax fmin nextafter ldexp logaddexp xlogy heaviside gcd lcm rsub float_power dist isclose allclose equal"
CALLS = CALLS.split()


def some_tensor(program, shape=None):
    chance = program.chance
    kind = chance.choice(KINDS)
    shape = shape_of(chance) if shape is None else shape
    return program.operand(shape, kind)


def operand(program, x):
    """A number, a tensor without axes, or one that broadcasts."""
    chance = program.chance
    form = chance.choice(["number", "number", "scalar", "one", "tensor", "tensor"])
    if form == "number":
        return chance.choice(NUMBERS)
    if form == "scalar":
        return some_tensor(program, [])
    if form == "one":
        return some_tensor(program, [1])
    return some_tensor(program, fitting_shape(chance, program.names[x].shape))


def binary(program):
    chance = program.chance
    x = some_tensor(program)
    y = operand(program, x)
    left, right = (x, y) if chance.random() < 0.5 else (y, x)
    return f"{left} {chance.choice(BINARY)} {right}"


def called(program):
    chance = program.chance
    x = some_tensor(program)
    y = operand(program, x)
    name = chance.choice(CALLS)
    option = ""
    if name in ("add", "sub", "rsub") and chance.random() < 0.5:
        option = f", alpha={chance.choice(NUMBERS)}"
    if name == "div" and chance.random() < 0.6:
        option = f", rounding_mode={chance.choice(['None', repr('floor'), repr('trunc')])}"
    if chance.random() < 0.25:
        return f"{x}.{name}({y}{option})"
    left, right = (x, y) if chance.random() < 0.8 else (y, x)
    return f"torch.{name}({left}, {right}{option})"


def unary(program):
    chance = program.chance
    shape = chance.choice([[], [], [1], [1], [3], [0], [2, 2]])
    x = some_tensor(program, shape)
    return chance.choice(UNARY).replace("{}", x) if chance.random() < 1 else x


def typed(program):
    """What a call says of types."""
    chance = program.chance
    a, b = (f"torch.{chance.choice(KINDS)}" for _ in range(2))
    x, y = some_tensor(program), some_tensor(program, [])
    return chance.choice([
        f"torch.promote_types({a}, {b})",
        f"torch.can_cast({a}, {b})",
        f"torch.result_type({x}, {y})",
        f"torch.result_type({x}, {chance.choice(NUMBERS)})",
        f"torch.result_type({chance.choice(NUMBERS)}, {y})",
        f"({x}.is_floating_point(), {x}.is_complex(), {x}.element_size(), {x}.itemsize, {x}.nbytes)",
        f"({a}.is_floating_point, {a}.is_complex, {a}.is_signed, {a}.itemsize, str({a}))",
        f"torch.finfo({a}).eps",
        f"torch.finfo({a}).min",
        f"torch.finfo({a}).tiny",
        f"torch.iinfo({a}).max",
        f"({x}.type(), {y}.type())",
        f"{x}.type({a})",
        f"{x}.type('torch.FloatTensor')",
        f"torch.where({x} == {x}, {chance.choice(NUMBERS)}, {chance.choice(NUMBERS)})",
        f"torch.where({y} == {y}, {chance.choice(NUMBERS)}, {x})",
        f"torch.where({x} == {x}, {x}, {y})",
        f"torch.cat([{x}, {x}.to({a})])",
        f"torch.stack([{x}, {x}.to({a})])",
        f"torch.clamp({x}, {chance.choice(NUMBERS)}, {chance.choice(NUMBERS)})",
        f"torch.clamp({x}, min={y})",
        f"{x}.clip(max={chance.choice(NUMBERS)})",
        f"torch.lerp({x}, {x}, {chance.choice(['0.5', y])})",
        f"torch.addcmul({x}, {x}, {y}, value={chance.choice(NUMBERS)})",
        f"{x}.masked_fill({x} == {x}, {chance.choice(NUMBERS)})",
        f"{x}.masked_fill({x} == {x}, {y})",
        f"torch.full_like({x}, {chance.choice(NUMBERS)})",
    ])


def assigned(program):
    chance = program.chance
    x = some_tensor(program)
    y = operand(program, x)
    program.run(f"w{program.made} = {x}.clone()", 0.3)
    return f"w{program.made} {chance.choice('+= -= *= /= //= %= **= &= |= ^= <<= @='.split())} {y}"


def add_operator(program):
    chance = program.chance
    form = chance.choice([binary, binary, binary, called, called, unary, typed, assigned])
    if form is assigned:
        name = f"w{program.made}"
        line = assigned(program)
        program.run(line, 0.4)
        program.add(f"{name}.clone()")
        return
    program.add(form(program))
