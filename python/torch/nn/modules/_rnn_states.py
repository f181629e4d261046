"""The shapes that recurrent layers and cells want of the states they are given."""


def check_rank(states, is_batched):
    """`states`: one tensor, or the pair of an LSTM, as the caller gave them."""
    wanted = 3 if is_batched else 2
    pair = isinstance(states, (tuple, list))
    ranks = [state.dim() for state in (states if pair else (states,))]
    if all(rank == wanted for rank in ranks):
        return
    kind = "batched 3-D" if is_batched else "unbatched 2-D"
    names = "hx and cx" if pair else "hx"
    found = (
        f"({', '.join(f'{rank}-D' for rank in ranks)}) tensors" if pair else f"{ranks[0]}-D tensor"
    )
    raise RuntimeError(f"For {kind} input, {names} should also be {wanted}-D but got {found}")


def check_sizes(states, expected):
    """`states` with their batch axis; `expected`: a shape (layers, batch, width) for each."""
    pair = isinstance(states, (tuple, list))
    for i, (state, shape) in enumerate(zip(states if pair else (states,), expected)):
        if state.shape != shape:
            name = f"hidden[{i}]" if pair else "hidden"
            raise RuntimeError(f"Expected {name} size {shape}, got {list(state.shape)}")


def check_cell_ranks(cell, states):
    for i, state in enumerate(states):
        if state.dim() not in (1, 2):
            name = f"hx[{i}]" if len(states) > 1 else "hidden"
            raise ValueError(f"{cell}: Expected {name} to be 1D or 2D, got {state.dim()}D instead")


def check_cell(input, states, input_size, hidden_size):
    """Input (batch, input_size), states (batch, hidden_size)."""
    if input.size(1) != input_size:
        raise RuntimeError(
            f"input has inconsistent input_size: got {input.size(1)} expected {input_size}"
        )
    for i, state in enumerate(states):
        if state.dim() != 2:
            raise RuntimeError(
                f"Expected 2D hidden{i} (batch x hidden_size), but got {state.dim()}D tensor"
            )
        if state.size(0) != input.size(0):
            raise RuntimeError(
                f"Input batch size {input.size(0)} doesn't match hidden{i} batch size {state.size(0)}"
            )
        if state.size(1) != hidden_size:
            raise RuntimeError(
                f"hidden{i} has inconsistent hidden_size: got {state.size(1)}, expected {hidden_size}"
            )
