"""One rank: the first and only one of every group."""


def initialize_model_parallel(model_parallel_size_=1, pipeline_length=1, **kwargs):
    if model_parallel_size_ != 1 or pipeline_length != 1:
        raise NotImplementedError("one rank only: model_parallel_size_ must be 1")


def model_parallel_is_initialized():
    return True


def get_model_parallel_world_size():
    return 1


def get_model_parallel_rank():
    return 0


def get_model_parallel_src_rank():
    return 0


def get_model_parallel_group():
    return None


get_data_parallel_world_size = get_pipeline_parallel_world_size = get_model_parallel_world_size
get_data_parallel_rank = get_pipeline_parallel_rank = get_model_parallel_rank
get_data_parallel_group = get_pipeline_parallel_group = get_model_parallel_group


def destroy_model_parallel():
    pass
