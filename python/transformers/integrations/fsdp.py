"""No module is shared among processes."""


def is_fsdp_managed_module(module):
    return False
