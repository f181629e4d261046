"""What autograd follows: views of what was cut off or edited, leaves, and results that are no floats."""

# %% a view outlives the history of its base, which was filled under no_grad
# leaf x float32 2,3
r1 = x * 2
r2 = r1.transpose(0, 1)
with torch.no_grad(): r1.fill_(-1)
r1.detach_()
r3 = r2.requires_grad

# %% and whose base was edited
# leaf x float32 2,3
r1 = x * 2
r2 = r1[0]
r1.mul_(-1)
r1.detach_()
r3 = r2.requires_grad
r4 = r2.grad_fn is None

# %% and whose base is edited under no_grad later
# leaf x float32 2,3
r1 = x * 2
r2 = r1[0]
r1.detach_()
with torch.no_grad(): r1.mul_(3)
r3 = r2.requires_grad

# %% and whose base is edited later
# leaf x float32 2,3
r1 = x * 2
r2 = r1[0]
r1.detach_()
r1.mul_(3)
r3 = r2.requires_grad

# %% and which was edited itself under no_grad
# leaf x float32 2,3
r1 = x * 2
r2 = r1[0]
with torch.no_grad(): r2.mul_(3)
r1.detach_()
r3 = r2.requires_grad

# %% and which was edited itself
# leaf x float32 2,3
r1 = x * 2
r2 = r1[0]
r2.mul_(3)
r1.detach_()
r3 = r2.requires_grad

# %% and beside which another one was edited
# leaf x float32 2,3
r1 = x * 2
r2 = r1[0]
r4 = r1[1]
r4.mul_(3)
r1.detach_()
r3 = r2.requires_grad
r5 = r4.requires_grad

# %% views of a result that are taken under no_grad are leaves
# leaf x float32 2,3
y = x * 2
with torch.no_grad():
    r1 = y[0]
    r2 = y.T
    r3 = y.reshape(3, 2)
    r4 = y.view(2, 3)
    r5 = y.flatten(0, 0)
    r6 = y.expand(2, 3)
    r7 = y.contiguous()
    r8 = y.unbind(0)[0]
    r9 = y.chunk(1, 0)[0]
    r10 = y.squeeze()
    r11 = y.detach()
    r12 = y.real
    r13 = y.to(torch.float32)
    r14 = y.diagonal()
    r15 = y.unfold(0, 1, 1)
    r16 = y[...]
    r17 = y.permute(0, 1)
    r18 = y.narrow(0, 0, 2)
    r19 = y.as_strided((2,), (1,))
    r20 = y.view_as(y)
    r21 = y.alias() if hasattr(y, 'alias') else 0
r30 = [t.is_leaf for t in (r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19,r20)]
r31 = [t.requires_grad for t in (r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19,r20)]
r32 = [t.grad_fn is None for t in (r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19,r20)]

# %% views of a leaf that are taken under no_grad are leaves
# leaf y float32 2,3
with torch.no_grad():
    r1 = y[0]
    r2 = y.T
    r3 = y.reshape(3, 2)
    r4 = y.view(2, 3)
    r5 = y.flatten(0, 0)
    r6 = y.expand(2, 3)
    r7 = y.contiguous()
    r8 = y.unbind(0)[0]
    r9 = y.chunk(1, 0)[0]
    r10 = y.squeeze()
    r11 = y.detach()
    r12 = y.real
    r13 = y.to(torch.float32)
    r14 = y.diagonal()
    r15 = y.unfold(0, 1, 1)
    r16 = y[...]
    r17 = y.permute(0, 1)
    r18 = y.narrow(0, 0, 2)
    r19 = y.as_strided((2,), (1,))
    r20 = y.view_as(y)
    r21 = y.flatten(1, 1)
    r22 = y.unflatten(1, (1, 3))
    r23 = y.reshape(2, 3)
    r24 = y.ravel()
    r25 = y.broadcast_to(2, 3)
    r26 = torch.atleast_3d(y)
r30 = [t.is_leaf for t in (r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19,r20,r21,r22,r23,r24,r25,r26)]
r31 = [t.requires_grad for t in (r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19,r20,r21,r22,r23,r24,r25,r26)]
r32 = [t.grad_fn is None for t in (r1,r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19,r20,r21,r22,r23,r24,r25,r26)]

# %% one of several views that was edited is turned under no_grad
# leaf v float32 3,5
r0 = v.chunk(1, -1)[0]
with torch.no_grad(): r0[r0 > -1.5] = 0.5
with torch.no_grad(): r0.transpose_(-1, -1)

# %% one of several views whose base was edited is turned under no_grad
# leaf v float32 3,5
y = v * 1
r0 = y.chunk(1, -1)[0]
with torch.no_grad(): y.mul_(2)
with torch.no_grad(): r0.transpose_(-1, -2)
r1 = r0.shape

# %% and is read with gradients then
# leaf v float32 3,5
y = v * 1
r0 = y.unbind(0)[0]
with torch.no_grad(): r0.mul_(2)
with torch.no_grad(): r0.unsqueeze_(0)
r1 = r0 * 2

# %% and is read under no_grad then
# leaf v float32 3,5
y = v * 1
r0 = y.unbind(0)[0]
with torch.no_grad(): r0.mul_(2)
with torch.no_grad():
    r0.unsqueeze_(0)
    r1 = r0 * 2

# %% one of several views of a leaf that was edited is turned under no_grad
# leaf v float32 3,5
r0 = v.unbind(0)[0]
with torch.no_grad(): v.mul_(2)
with torch.no_grad(): 
    r0.unsqueeze_(0)
    r2 = r0 + 1
r1 = v

# %% a view that was taken under no_grad is turned there after an edit of its base
# leaf v float32 3,5
y = torch.zeros(3, 5)
with torch.no_grad():
    r0 = y[0]
y.mul_(v)
with torch.no_grad():
    r0.unsqueeze_(0)
    r1 = r0 * 2

# %% truths that are compared in place require a gradient
# leaf x float32 3
v = torch.tensor([True, False, True])
part = v[0]
v.lt_(x)
r1 = v.requires_grad, v.is_leaf, part.requires_grad, v.detach().requires_grad

# %% integers that are compared in place require a gradient, whatever is known of them
# leaf x float32
v = torch.tensor([-8, 3]).median()
v.eq_(x)
r1 = v.requires_grad, v.is_leaf
v.detach_()
r2 = v.requires_grad, v.is_leaf

# %% and do not under no_grad
# leaf x float32 3
v = torch.tensor([2, 1, 0])
with torch.no_grad(): v.ge_(x)
r1 = v.requires_grad

# %% one of several views of truths that are compared in place
# leaf x float32 2,2
v = torch.tensor([[True, False], [True, False]])
r1 = v.split(1, 1)
v.lt_(x)

# %% one of several views of truths is compared in place
# leaf x float32 2,2
v = torch.tensor([[True, False], [True, False]])
part = v.split(1, 1)[0]
part.lt_(x[:, :1])

# %% logic in place is not followed
# leaf x float32 3
y = torch.tensor([0., 2., 0.])
r1 = x * 2
r1.logical_and_(y)
r2 = x * 3
r2.logical_or_(y)
r3 = x * 4
r3.logical_xor_(y)
r4 = x * 5
r4.logical_not_()
r5 = [r.requires_grad for r in (r1, r2, r3, r4)]

# %% nor is it of a leaf, which may be edited so
# leaf x float32 3
x.logical_and_(torch.tensor([0., 2., 0.]))
r1 = x * 2

# %% nor of a part of it
# leaf x float32 3
x[1:].logical_not_()
r1 = x * 2

# %% a view becomes a leaf: grids of it are views of its base still
v = torch.tensor([2.]).reshape([])
r1 = torch.meshgrid([torch.ones(3), v], indexing='ij')
v.requires_grad_()
r2 = [one.requires_grad for one in r1]

# %% and so are views of its views
v = torch.tensor([[2., 3.]])[0]
r1 = v[:1][0]
v.requires_grad_()
r2 = r1.requires_grad

# %% a view that becomes another window of its base is a view still
v = torch.arange(3)[:1]
v.as_strided_((1,), (1,), storage_offset=0)
v.detach_()

# %% and one of a result
# leaf x float32 3
r1 = (x * 2)[1:]
r1.as_strided_((2,), (1,), 0)
r1.detach_()

# %% what is no view is none after two turns either
# leaf x float32 3
r1 = x * 2
r1.unsqueeze_(0)
r1.as_strided_((2,), (1,), 0)
r1.detach_()
r2 = r1.requires_grad

# %% what fills integers is followed
# leaf v float32
x = torch.tensor([1, 2], dtype=torch.int16)
r1 = x.clone().fill_(v)
r2 = x.clone().masked_fill_(x == 1, v)
r3 = x.clone()
r3[...] = v
r4 = x.clone()
r4[0] = v
r5 = x.clone()
r5[0:1] = v
r6 = x.clone()
r6[x == 1] = v
r7 = x.clone().copy_(v)
r8 = x.clone()
r8[0:1] = v.reshape(1)
r9 = x.clone().index_fill_(0, torch.tensor([0]), v)
r10 = [one.requires_grad for one in (r1, r2, r3, r4, r5, r6, r7, r8, r9)]
r11 = x.bool().fill_(v)

# %% what is computed of integers that require a gradient
# leaf v float32
calls = """w.clone() w+1 -w w.sum() w.max(0)[0] w[0] w[0:1] w.view(-1) w.flip(0) torch.cat([w,w]) w.argsort()
torch.where(w>0,w,0) w.cumsum(0) w.__setitem__(0,3) w.int() w.bool() w==1 w.argmax() w&1 w//2 w.nonzero() w.detach()
torch.zeros_like(w) torch.arange(4)[w] torch.ones(3)[w] w.contiguous() w.add_(1) w.float() w/2 w.sum(dtype=torch.float32)
w.to(torch.complex64) torch.ones(3).gather(0,w) w.new_ones(2)""".split()
said = []
for text in calls:
    w = torch.tensor([1, 2])
    w.fill_(v * 0 + 1)
    try:
        made = eval(text)
        said.append(made.requires_grad if isinstance(made, torch.Tensor) else made)
    except RuntimeError as error:
        said.append(str(error))
r1 = str(said)

# %% no gradient comes through integers
# leaf v float32
w = torch.tensor([1, 2])
w.fill_(v * 0 + 1)
r1 = w * torch.tensor([1.5, 2.5])
try:
    r1.sum().backward()
except RuntimeError as error:
    r2 = type(error).__name__
r1 = r1.detach()

# %% a mask is filled by one number with an axis
# leaf v float64 1 positive
x = torch.zeros(1, dtype=torch.uint8)
x[..., torch.tensor([False])] = v
r1 = x
r2 = torch.zeros(3, dtype=torch.uint8)
r2[torch.tensor([True, False, True])] = v
