"""Losses by the kind of a model's head."""

from torch.nn import functional as F


def fixed_cross_entropy(source, target, num_items_in_batch=None, ignore_index=-100, **kwargs):
    if num_items_in_batch is None:
        return F.cross_entropy(source, target, ignore_index=ignore_index)
    loss = F.cross_entropy(source, target, ignore_index=ignore_index, reduction="sum")
    return loss / num_items_in_batch


def ForCausalLMLoss(
    logits,
    labels,
    vocab_size,
    num_items_in_batch=None,
    ignore_index=-100,
    shift_labels=None,
    **kwargs,
):
    """Each position predicts the next one's label."""
    if shift_labels is None:
        shift_labels = F.pad(labels, (0, 1), value=ignore_index)[..., 1:].contiguous()
    logits = logits.float().view(-1, vocab_size)
    return fixed_cross_entropy(logits, shift_labels.view(-1), num_items_in_batch, ignore_index)


def ForMaskedLMLoss(
    logits, labels, vocab_size, num_items_in_batch=None, ignore_index=-100, **kwargs
):
    logits = logits.float().view(-1, vocab_size)
    return fixed_cross_entropy(logits, labels.view(-1), num_items_in_batch, ignore_index)


def ForSequenceClassificationLoss(labels, pooled_logits, config, **kwargs):
    count = config.num_labels
    if config.problem_type is None:
        whole = not labels.is_floating_point()
        several = "single_label_classification" if whole else "multi_label_classification"
        config.problem_type = "regression" if count == 1 else several
    if config.problem_type == "regression":
        flat = (
            (pooled_logits.squeeze(), labels.squeeze()) if count == 1 else (pooled_logits, labels)
        )
        return F.mse_loss(*flat)
    if config.problem_type == "single_label_classification":
        return fixed_cross_entropy(pooled_logits.view(-1, count), labels.view(-1))
    return F.binary_cross_entropy_with_logits(pooled_logits, labels)


def ForTokenClassification(logits, labels, config, **kwargs):
    logits = logits.view(-1, config.num_labels)
    return fixed_cross_entropy(logits.float(), labels.view(-1))


def ForQuestionAnsweringLoss(start_logits, end_logits, start_positions, end_positions, **kwargs):
    ends = ((start_logits, start_positions), (end_logits, end_positions))
    losses = []
    for logits, places in ends:
        places = places.squeeze(-1) if places.dim() > 1 else places
        outside = logits.size(1)
        losses.append(F.cross_entropy(logits, places.clamp(0, outside), ignore_index=outside))
    return sum(losses) / 2


LOSS_MAPPING = {
    "ForCausalLM": ForCausalLMLoss,
    "ForMaskedLM": ForMaskedLMLoss,
    "ForQuestionAnswering": ForQuestionAnsweringLoss,
    "ForSequenceClassification": ForSequenceClassificationLoss,
    "ForImageClassification": ForSequenceClassificationLoss,
    "ForVideoClassification": ForSequenceClassificationLoss,
    "ForTokenClassification": ForTokenClassification,
    "ForConditionalGeneration": ForCausalLMLoss,
}


def loss_of(model):
    """That of the kind of head which the name of the model's class tells; next tokens' otherwise."""
    name = type(model).__name__
    kind = next((it for it in LOSS_MAPPING if it in name), "ForCausalLM")
    return LOSS_MAPPING[kind]
