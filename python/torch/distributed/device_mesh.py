"""Meshes of devices, which files name in annotations: a run has one."""

from .._unsupported import unsupported


class DeviceMesh:
    def __init__(self, *args, **kwargs):
        raise unsupported("torch.distributed.device_mesh.DeviceMesh: a run is one process")


init_device_mesh = DeviceMesh
