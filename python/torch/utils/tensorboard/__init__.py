"""torch.utils.tensorboard: a writer that takes everything and writes nothing."""

import inspect
import os

__all__ = ["FileWriter", "SummaryWriter"]


class SummaryWriter:
    def __init__(
        self,
        log_dir=None,
        comment="",
        purge_step=None,
        max_queue=10,
        flush_secs=120,
        filename_suffix="",
    ):
        self.log_dir = os.fspath(log_dir) if log_dir else "runs/normscope" + comment
        self.purge_step = purge_step

    def get_logdir(self):
        return self.log_dir

    def flush(self):
        pass

    close = flush

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


FileWriter = SummaryWriter


def _taking(name, *parameters):
    """A method that takes these arguments and does nothing."""
    kinds = inspect.Parameter
    signature = inspect.Signature(
        [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
        + [
            kinds(parameter.strip("?"), kinds.POSITIONAL_OR_KEYWORD, default=default)
            for parameter in parameters
            for default in [None if parameter.endswith("?") else kinds.empty]
        ]
    )

    def method(*args, **kwargs):
        signature.bind(*args, **kwargs)

    method.__name__ = name
    method.__signature__ = signature
    return method


_TIMES = ("global_step?", "walltime?")
_METHODS = {
    "add_audio": ("tag", "snd_tensor", "global_step?", "sample_rate?", "walltime?"),
    "add_custom_scalars": ("layout",),
    "add_custom_scalars_marginchart": ("tags", "category?", "title?"),
    "add_custom_scalars_multilinechart": ("tags", "category?", "title?"),
    "add_embedding": ("mat", "metadata?", "label_img?", "global_step?", "tag?", "metadata_header?"),
    "add_figure": ("tag", "figure", "global_step?", "close?", "walltime?"),
    "add_graph": ("model", "input_to_model?", "verbose?", "use_strict_trace?"),
    "add_histogram": ("tag", "values", "global_step?", "bins?", "walltime?", "max_bins?"),
    "add_hparams": (
        "hparam_dict",
        "metric_dict",
        "hparam_domain_discrete?",
        "run_name?",
        "global_step?",
    ),
    "add_image": ("tag", "img_tensor", *_TIMES, "dataformats?"),
    "add_image_with_boxes": (
        "tag",
        "img_tensor",
        "box_tensor",
        *_TIMES,
        "rescale?",
        "dataformats?",
    ),
    "add_images": ("tag", "img_tensor", *_TIMES, "dataformats?"),
    "add_mesh": ("tag", "vertices", "colors?", "faces?", "config_dict?", *_TIMES),
    "add_pr_curve": ("tag", "labels", "predictions", "global_step?", "num_thresholds?", "weights?"),
    "add_scalar": ("tag", "scalar_value", *_TIMES, "new_style?", "double_precision?"),
    "add_scalars": ("main_tag", "tag_scalar_dict", *_TIMES),
    "add_tensor": ("tag", "tensor", *_TIMES),
    "add_text": ("tag", "text_string", *_TIMES),
    "add_video": ("tag", "vid_tensor", "global_step?", "fps?", "walltime?"),
}
for _name, _parameters in _METHODS.items():
    setattr(SummaryWriter, _name, _taking(_name, *_parameters))
