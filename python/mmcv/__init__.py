"""OpenMMLab's layers, with their names and numbers."""

from mmengine import Config, ConfigDict, is_list_of, is_seq_of, is_str, is_tuple_of

__all__ = ["Config", "ConfigDict", "is_list_of", "is_seq_of", "is_str", "is_tuple_of"]
