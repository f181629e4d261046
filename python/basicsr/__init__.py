"""basicsr: the registries and the parts that networks for restoring images are written with."""
