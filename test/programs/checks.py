"""torch._check and its like."""

# %% conditions that hold
torch._check(True)
torch._check_is_size(3, max=4)
torch._check_value(2 > 1, "never")
torch._check_tensor_all(torch.ones(2) > 0)
r1 = torch.ones(1)

# %% each raises its own
said = []
for check in (
    *(torch._check, torch._check_index, torch._check_value),
    *(torch._check_type, torch._check_not_implemented),
):
    for message in (None, "a text", lambda: 3):
        try:
            check(False, message)
        except Exception as error:
            said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% conditions that are none
said = []
for wrong in (1, None, torch.tensor(True)):
    try:
        torch._check(wrong)
    except TypeError as error:
        said.append(str(error))
for wrong in (True, torch.ones(2), torch.tensor([True, False])):
    try:
        torch._check_tensor_all(wrong, "some are not")
    except Exception as error:
        said.append((type(error).__name__, str(error)))
try:
    torch._check_is_size(-1, lambda: "no size")
except RuntimeError as error:
    said.append(str(error))
r1 = str(said)

# %% a computed divisor of integers is 0
# leaf x float32 2,3
r0 = x.median(dim=0, keepdim=True)[1]
r1 = torch.remainder(r0, r0)

# %% the quotient of integers by a computed 0
# leaf x float32 4
r0 = (x > 100).sum()
r1 = 7 // r0

# %% what is left of integers divided by computed numbers
# leaf x float32 4
r0 = x.argsort() + 1
r1 = torch.fmod(torch.tensor([9, -7, 5, -3]), r0)
r2 = torch.remainder(torch.tensor([9, -7, 5, -3]), r0)
r3 = torch.div(torch.tensor([9, -7, 5, -3], dtype=torch.int8), r0.to(torch.int8), rounding_mode="trunc")
