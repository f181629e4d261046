"""Numbers of Python where tensors are made, and tensors where numbers of Python are asked for."""

# %% numbers that an integer type does not hold
# leaf x float32 2,3
r1 = torch.full((1,), -0.5, dtype=torch.int64)
r2 = 1 / torch.full((2,), 2.7, dtype=torch.int32)
r3 = torch.scalar_tensor(-2.5, dtype=torch.int64)
r4 = x.new_full((2,), 2.5, dtype=torch.int64)
r5 = torch.full_like(torch.tensor([1, 2]), -0.5)

# %% lists that begin with an empty one
r1 = torch.tensor([[], [1, 2]])
r2 = torch.tensor([[], 3])
r3 = torch.tensor([[[]], [1]])
r4 = torch.tensor([[], [True]], dtype=torch.bool)

# %% a number beyond the type
torch.tensor(1e10, dtype=torch.int16)

# %% a list with a number beyond the type
torch.zeros(2, dtype=torch.int16).new_tensor([1, 1e10])

# %% a fraction below an unsigned type
torch.tensor(-1.5, dtype=torch.uint8)

# %% no number for an integer
torch.tensor(float("nan"), dtype=torch.int64)

# %% negative numbers of an unsigned type
r1 = torch.tensor([-1, -255], dtype=torch.uint8)
r2 = (torch.iinfo(torch.uint16).max, torch.iinfo(torch.uint32).min)

# %% a range of truths
torch.arange(0, 2, dtype=torch.bool)

# %% evenly spaced truths
torch.linspace(0, 1, 3, dtype=torch.bool)

# %% limits of truths
torch.iinfo(torch.bool)

# %% one number of many
float(torch.zeros(2))

# %% one number of none
int(torch.zeros(0))

# %% a real number of a complex one
r1 = (int(torch.tensor(1 + 0j)), float(torch.tensor([2 + 0j])), complex(torch.tensor([3])))
float(torch.tensor(1 + 2j))

# %% complex numbers as text
# leaf z complex64 2
r1 = f"{z.detach().sum():.2f}"
r2 = str([z.detach().mean(-1, keepdim=True)])
r3 = z.type()

# %% names of types
# leaf x float32 2
r1 = (str(type(x + 1)), type(x + 1).__module__, repr(torch.Tensor))

# %% alpha of a wider kind
torch.tensor([2]).add(2, alpha=1.5)

# %% alpha that is a truth
torch.tensor([2.0]).sub(2, alpha=True)

# %% alpha that is complex
torch.tensor([2.0]).add(2.0, alpha=1j)

# %% a number before a comparison
torch.lt(1, torch.tensor([2]))

# %% a number before fmod
torch.fmod(2, torch.tensor([2.0]))

# %% a number where gcd takes a tensor
torch.gcd(torch.tensor([2]), 3)

# %% a number where equal takes a tensor
torch.equal(torch.tensor([2]), 3)

# %% truths over no axes are those of each element
# leaf z complex64 3
x = torch.tensor([0.5, 0.0, 2.0])
r1 = x.any(())
r2 = torch.all(x, dim=[], keepdim=True)
r3 = z.any(())
r4 = torch.tensor(2.0).all(())
r5 = torch.linspace(0, 2.5, 1, dtype=torch.bool)

# %% weights without axes bring integers to floats
x, y = torch.tensor([1, 2], dtype=torch.int8), torch.tensor([4, 7], dtype=torch.int8)
r1 = torch.lerp(x, y, torch.tensor(0.25))
r2 = torch.lerp(x, y, torch.tensor(0.75, dtype=torch.float64))
r3 = torch.lerp(x.half(), y.half(), torch.tensor(0.75, dtype=torch.float64))
r4 = torch.lerp(x.bool(), y.bool(), torch.tensor(0.75))
r5 = torch.lerp(torch.tensor(1.0), torch.tensor(2.0), torch.tensor(0.3, dtype=torch.float64))

# %% integers are weighed by no integer
x = torch.tensor([1, 2], dtype=torch.int8)
r1 = torch.lerp(x, x, torch.tensor(2))

# %% integers are weighed by no number
x = torch.tensor([1, 2], dtype=torch.int8)
r1 = torch.lerp(x, x, 0.5)

# %% integers are weighed by no floats with axes
x = torch.tensor([1, 2], dtype=torch.int8)
r1 = torch.lerp(x, x, torch.tensor([0.5]))

# %% integers do not hold what lerp gives
x = torch.tensor([1, 2])
r1 = x.lerp_(x, torch.tensor(0.5))

# %% powers of 2 that are complex
# leaf x complex64 3
# leaf w complex64 3
r1 = torch.ldexp(x, w)
r2 = torch.ldexp(x, torch.tensor([1, 2, 3]))
r3 = torch.ldexp(x, torch.tensor(1.5))
r4 = torch.ldexp(torch.tensor([1, 2, 3]), w)
r5 = torch.ldexp(x, torch.tensor(1.5, dtype=torch.float64))

# %% ends of ranges and their types
said = []
for text in """torch.range(1,2,-1)
torch.range(2,1,1.0)
torch.range(2,2,1)
torch.range(2,2,-1)
torch.range(1,2,0)
torch.scalar_tensor(1,layout=torch.strided)
torch.scalar_tensor(1,layout=torch.strided,device='cpu',pin_memory=False)
torch.linspace(-0.5,1,7,dtype=torch.uint8)
torch.linspace(-1,1,7,dtype=torch.uint8)
torch.linspace(-1,1,1,dtype=torch.uint8)
torch.linspace(-1,1,0,dtype=torch.uint8)
torch.linspace(-0.5,1,0,dtype=torch.uint8)
torch.linspace(-0.5,1,1,dtype=torch.uint8)
torch.linspace(0,-0.5,1,dtype=torch.uint8)
torch.linspace(-1,1,3,dtype=torch.bool)
torch.linspace(-0.5,1,3,dtype=torch.int8)
torch.linspace(-0.5,300,3,dtype=torch.int8)
torch.linspace(-300,3,3,dtype=torch.int8)
torch.linspace(0,300,3,dtype=torch.uint8)
torch.linspace(0.5,255.7,3,dtype=torch.uint8)
torch.linspace(0,3,3,dtype=torch.uint8)
torch.logspace(-0.5,1,3,dtype=torch.uint8)
torch.logspace(-1,1,3,dtype=torch.uint8)
torch.logspace(0,3,3,dtype=torch.uint8)
torch.logspace(0,300,3,dtype=torch.int8)
torch.logspace(0,1,3,base=300,dtype=torch.int8)
torch.linspace(torch.tensor(-0.5),1,3,dtype=torch.uint8)
torch.linspace(torch.tensor(-5),1,3,dtype=torch.uint8)
torch.arange(-0.5,3,dtype=torch.uint8)
torch.arange(-5,3,dtype=torch.uint8)
torch.arange(0,300,100,dtype=torch.int8)
torch.range(-5,3,dtype=torch.uint8)
torch.range(0,300,100,dtype=torch.int8)
torch.linspace(0,1e5,3,dtype=torch.float16)
torch.logspace(-0.5,1,0,dtype=torch.uint8)
torch.logspace(-0.5,1,1,dtype=torch.uint8)
torch.logspace(0,-0.5,1,dtype=torch.uint8)
torch.linspace(0,-0.5,1,dtype=torch.uint8)
torch.logspace(0,2,3,dtype=torch.uint8)
torch.linspace(0,2,3,dtype=torch.bool)
torch.linspace(0,1e5,3,dtype=torch.float16)
torch.linspace(0,1e5,1,dtype=torch.float16)
torch.linspace(1e5,0,1,dtype=torch.float16)
torch.linspace(1e39,0,1,dtype=torch.float32)
torch.linspace(0,1e39,3,dtype=torch.float32)
torch.linspace(0,float('inf'),3,dtype=torch.float32)
torch.linspace(0,float('inf'),3,dtype=torch.int32)
torch.linspace(0,float('nan'),3,dtype=torch.float16)
torch.linspace(0,True,3,dtype=torch.int32)
torch.linspace(torch.tensor(-1.5),torch.tensor(True),3)
torch.logspace(0,1e39,1,dtype=torch.float32)""".split("\n"):
    try:
        made = eval(text)
        said.append(f"{made.dtype} {made.tolist()}" if isinstance(made, torch.Tensor) else str(made))
    except Exception as e:
        said.append(type(e).__name__)
r1 = said

# %% types of numbers and halves together
said = []
for text in """torch.result_type(1j,torch.tensor(1.,dtype=torch.float16))
torch.result_type(torch.tensor(1.,dtype=torch.float16),1j)
torch.result_type(torch.tensor([1.],dtype=torch.float16),1j)
torch.result_type(torch.tensor([1],dtype=torch.int8),1j)
torch.result_type(torch.tensor([1.],dtype=torch.float64),1j)
torch.promote_types(torch.float16,torch.complex64)
torch.result_type(torch.tensor([1.],dtype=torch.float16),torch.tensor(1j))
torch.result_type(torch.tensor([1.],dtype=torch.float16),torch.tensor([1j]))
torch.result_type(torch.tensor(1.,dtype=torch.float16),torch.tensor(1j))
torch.result_type(torch.tensor(1.,dtype=torch.float16),torch.tensor([1j]))""".split("\n"):
    try:
        made = eval(text)
        said.append(f"{made.dtype} {made.tolist()}" if isinstance(made, torch.Tensor) else str(made))
    except Exception as e:
        said.append(type(e).__name__)
r1 = said

# %% halves beside complex numbers
said = []
b = torch.ones(3, dtype=torch.bfloat16)
h = b.half()
c = torch.tensor(1j)
for text in "b+c b+1j b*1j b*c b/1j h/1j b-1j 1j-b b**1j h**1j c**b c**h b==1j h==1j torch.ldexp(c,h) torch.ldexp(c,b) h/c c/h".split():
    try:
        said.append(str(eval(text).dtype))
    except Exception as error:
        said.append(type(error).__name__)
r1 = said

# %% complex powers of 2 by a half
x = torch.tensor([1 + 1j, 2])
r1 = torch.ldexp(x, torch.tensor(0.3, dtype=torch.float16))
r2 = torch.ldexp(x.to(torch.complex128), torch.tensor(0.3, dtype=torch.bfloat16))
r3 = torch.ldexp(x.to(torch.complex128), torch.tensor([0.3, 2]))

# %% what integers are filled by
# leaf v float32
x = torch.tensor([3, 5, -1, 5], dtype=torch.int16)
m = x == 5
def kind_of(f):
    try:
        return f().tolist()
    except Exception as error:
        return type(error).__name__
r1 = kind_of(lambda: x.masked_fill(m, torch.tensor(1e20)))
r2 = kind_of(lambda: x.masked_fill(m, torch.tensor(1 + 2j)))
r3 = kind_of(lambda: x.masked_fill(m, torch.tensor(1 + 0j)))
r4 = kind_of(lambda: x.index_fill(0, torch.tensor([0]), torch.tensor(1 + 0j)))
r5 = kind_of(lambda: x.to(torch.uint8).masked_fill(m, torch.tensor(-1)))
r6 = kind_of(lambda: x.half().masked_fill(m, torch.tensor(1e6)))
r7 = kind_of(lambda: x.half().masked_fill(m, torch.tensor(float("-inf"))))
r8 = kind_of(lambda: x.masked_fill(m, v))
r9 = kind_of(lambda: m.index_fill(0, torch.tensor([0]), v))
r10 = kind_of(lambda: x.clone().masked_fill_(m, v))

# %% shifts of what has another type than their result
x = torch.tensor([6, 5, 2, 0], dtype=torch.uint8)
r1 = torch.tensor(-1, dtype=torch.int8) >> x
r2 = torch.tensor(300) >> x
r3 = torch.tensor(-1, dtype=torch.int8) << x
r4 = x >> torch.tensor(-1, dtype=torch.int8)

# %% a half beside complex numbers of fewer axes
x = torch.zeros(1, dtype=torch.bfloat16)
y = torch.tensor(1j, dtype=torch.complex128)
r1 = str(torch.result_type(1j, x))
r2 = str(torch.result_type(x, y))
r3 = str(torch.result_type(x[0], y))
r4 = str(torch.result_type(x.half(), y))
r5 = str(torch.result_type(x.float(), y))

# %% lists of tensors as integers
def kind_of(f):
    try:
        return f().tolist()
    except Exception as error:
        return type(error).__name__
r1 = kind_of(lambda: torch.tensor([torch.tensor(1e-3), 1.5], dtype=torch.int8))
r2 = kind_of(lambda: torch.tensor([torch.tensor(1.5)], dtype=torch.bool))
r3 = kind_of(lambda: torch.tensor([[torch.tensor(True), torch.tensor([2])]], dtype=torch.bool))
r4 = kind_of(lambda: torch.tensor(torch.tensor(1.5), dtype=torch.int8))
r5 = kind_of(lambda: torch.tensor([torch.tensor(1.5), 2], dtype=torch.float64))
r6 = torch.linspace(2.5, 0, 1, dtype=torch.bool)
