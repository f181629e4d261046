"""What inference_mode makes: autograd keeps it out."""

# %% which tensors are
# leaf x float32 2,2
base = torch.ones(2, 2)
with torch.inference_mode():
    made, view, edited = base * 2, base[0], base.add_(1)
    r1 = (torch.is_inference_mode_enabled(), torch.is_grad_enabled())
    with torch.inference_mode(False):
        r2 = (torch.is_inference_mode_enabled(), torch.is_grad_enabled(), torch.ones(1).is_inference())
    with torch.enable_grad():
        r3 = (torch.ones(1).is_inference(), torch.ones(1, requires_grad=True).is_inference())
r4 = [one.is_inference() for one in (made, view, edited, made[0], made.detach(), made.clone(), x)]
r5 = torch.is_inference(made)

# %% what is refused of them
# leaf x float32 3,3
with torch.inference_mode():
    made, places, mask = torch.ones(3, 3), torch.tensor([0, 2]), torch.ones(3, 3).bool()
said = []
for call in (
    *(lambda: x * made, lambda: x @ made[0], lambda: F.embedding(places, x), lambda: F.linear(made, x)),
    *(lambda: x.masked_fill(mask, 0.0), lambda: torch.where(mask, x, 0.0), lambda: x[places], lambda: x.gather(1, places[None])),
    *(lambda: made.requires_grad_(), lambda: made.add_(1), lambda: made[0].mul_(2), lambda: made.zero_()),
    *(lambda: F.relu(made, inplace=True), lambda: F.scaled_dot_product_attention(x[None], made[None], made[None])),
):
    try:
        said.append(call())
    except Exception as error:
        said.append((type(error).__name__, str(error)))
r1 = str(said)

# %% what is not
# leaf x float32 3,3
with torch.inference_mode():
    made = torch.arange(9.0).view(3, 3)
r1 = x + made
r2 = torch.cat([x, made])
r3 = x * made.clone()
with torch.no_grad():
    r4 = x * made
r5 = torch.ones(3, 3).copy_(made)
with torch.inference_mode():
    r6 = made.add_(1).clone()
