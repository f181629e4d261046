"""Settings of the compiler, kept and not used."""

from types import SimpleNamespace

coordinate_descent_tuning = False
fx_graph_cache = True
freezing = False
max_autotune = False
triton = SimpleNamespace(unique_kernel_names=True, cudagraphs=False)
