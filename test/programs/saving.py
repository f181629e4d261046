"""torch.save and torch.load of what the run makes itself."""

# %% tensors of one storage
import io

torch.manual_seed(0)
b = io.BytesIO()
x = torch.arange(6.0).reshape(2, 3)
torch.save([x, x[0], x.t()], b)
b.seek(0)
y = torch.load(b)
y[1][0] = 9
r1, r2, r3 = y
r4 = x

# %% a state dict
import io

torch.manual_seed(0)
m = nn.Linear(3, 2)
b = io.BytesIO()
torch.save(m.state_dict(), b)
b.seek(0)
k = nn.Linear(3, 2)
r1 = str(k.load_state_dict(torch.load(b)))
r2 = k.weight
r3 = k(torch.ones(1, 3))
r4 = torch.randn(3)

# %% a module needs weights_only=False
import io

m = nn.Linear(3, 2)
b = io.BytesIO()
torch.save(m, b)
b.seek(0)
try:
    torch.load(b)
    r1 = "loaded"
except Exception as e:
    r1 = type(e).__name__
b.seek(0)
k = torch.load(b, weights_only=False)
r2 = k.weight
r3 = k(torch.ones(1, 3))
r4 = k.weight.requires_grad

# %% a file of the run
import tempfile, os

d = tempfile.mkdtemp()
f = os.path.join(d, "x.pt")
torch.save(
    {
        "epoch": 3,
        "w": torch.ones(2),
        "sz": torch.ones(2, 3).shape,
        "dt": torch.float16,
        "dev": torch.device("cpu"),
    },
    f,
)
c = torch.load(f)
r1 = c["epoch"]
r2 = c["w"]
r3 = c["sz"]
r4 = c["dt"]
r5 = str(c["dev"])
r6 = os.path.exists(f)

# %% parameters, results, copy and pickle
import io, copy, pickle

p = nn.Parameter(torch.arange(3.0))
b = io.BytesIO()
torch.save([p, p * 2], b)
b.seek(0)
y = torch.load(b)
r1 = type(y[0]).__name__
r2 = y[1].is_leaf
r3 = y[1]
q = copy.copy(p)
r4 = q
r5 = type(q).__name__
r6 = pickle.loads(pickle.dumps(torch.arange(4)))

# %% paths that are not there
try:
    torch.save({}, "/nonexist/x.pt")
except Exception as e:
    r1 = str(e)
try:
    torch.load("nothere.pt")
except Exception as e:
    r2 = str(e)

# %% what lies in memory
x = torch.arange(12.0).reshape(3, 4)[1:]
r1 = x.untyped_storage().nbytes()
r2 = x.storage().size()
r3 = x.untyped_storage().size()
r4 = x.untyped_storage().data_ptr() == x[0].untyped_storage().data_ptr()

# %% rrelu keeps its input, in place its result
# leaf x float32 2,3
y = torch.nn.functional.rrelu(x, 0.1, 0.4, training=True)
with torch.no_grad():
    x.neg_()
r0 = y

# %% rrelu_ keeps its result
# leaf x float32 2,3
r0 = torch.nn.functional.rrelu_(x * 1, 0.1, 0.4, training=True)
r0.mul_(x)

# %% activations that keep their result in place
# leaf x float32 3
said = []
for f in (
    *(torch.nn.functional.elu, torch.nn.functional.celu, torch.nn.functional.selu),
    *(torch.nn.functional.leaky_relu, torch.nn.functional.relu6, torch.nn.functional.silu),
):
    y = f(x * 1, inplace=True)
    y.mul_(2)
    try:
        torch.autograd.grad(y.sum(), x)
        said.append("none")
    except RuntimeError as error:
        said.append(str(error).split(":")[0])
r0 = str(said)

# %% leaky_relu in place is edited
# leaf x float32 3
r0 = torch.nn.functional.leaky_relu(x * 1, inplace=True)
r0 *= 2

# %% leaky_relu in place is added to
# leaf x float32 3
r0 = torch.nn.functional.leaky_relu_(x * 1, 0.2)
r0 = r0 + 2

# %% bilinear layers keep copies of inputs that are no rows
# leaf x float32 2,3,4
v = torch.ones(3, 3, 2)
r0 = torch.nn.functional.bilinear(v.transpose(0, -1), x, torch.ones(5, 3, 4))
with torch.no_grad():
    v.fill_(2)

# %% float_power_ keeps what was there before
# leaf x float64 3
# leaf e float64
r0 = (x * 1).float_power_(2)
r1 = (x.abs() + 1).float_power_(e)
v = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
r2 = v.float_power_(torch.tensor([1, 2, 3]))
r3 = (x * 1).float_power_(torch.tensor([1.0, 2.0, 3.0]))

# %% distances by products of matrices keep copies of what has gaps
# leaf x float64 2,3,10
r0 = torch.cdist(x[..., ::2], torch.ones(2, 3, 5).double() / 3, 2.0, "use_mm_for_euclid_dist")
with torch.no_grad():
    x.mul_(1)

# %% other distances keep what they are given
# leaf x float64 2,3,10
r0 = torch.cdist(x[..., ::2], torch.ones(2, 3, 5).double() / 3, 1.0)
with torch.no_grad():
    x.mul_(1)

# %% complex powers of 2 keep their result alone
# leaf x complex64 4
r0 = x.exp2()
r1 = x.expm1()
with torch.no_grad():
    x.mul_(2)

# %% one batch of a product of distances is kept as it lies
# leaf x float32 2,3,1
r0 = x.transpose(0, -1)
r1 = torch.cdist(torch.ones(1, 3, 2) / 3, r0, 2.0, "use_mm_for_euclid_dist")
with torch.no_grad(): r0.copy_(r0.clone())

# %% several batches of a product of distances that are copied are not kept
# leaf x float32 2,3,4
r0 = x.transpose(0, -1)
r1 = torch.cdist(torch.ones(4, 3, 2) / 3, r0, 2.0, "use_mm_for_euclid_dist")
with torch.no_grad(): r0.copy_(r0.clone())

# %% a matrix that is spread over batches of distances is not kept
# leaf x float32 2,3
r0 = x.t()
r1 = torch.cdist(torch.ones(4, 3, 2) / 3, r0, 2.0, "use_mm_for_euclid_dist")
with torch.no_grad(): r0.copy_(r0.clone())
