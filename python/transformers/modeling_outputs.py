"""Outputs of models, each field None where a model has none."""

import dataclasses

from .utils.generic import ModelOutput

_FIELDS = """
BaseModelOutput: last_hidden_state hidden_states attentions
BaseModelOutputWithNoAttention: last_hidden_state hidden_states
BaseModelOutputWithPooling: last_hidden_state pooler_output hidden_states attentions
BaseModelOutputWithPoolingAndNoAttention: last_hidden_state pooler_output hidden_states
BaseModelOutputWithPast: last_hidden_state cache hidden_states attentions
BaseModelOutputWithCrossAttentions: last_hidden_state hidden_states attentions cross_attentions
BaseModelOutputWithPoolingAndCrossAttentions: last_hidden_state pooler_output hidden_states
    cache attentions cross_attentions
BaseModelOutputWithPastAndCrossAttentions: last_hidden_state cache hidden_states attentions
    cross_attentions
MoEModelOutput: last_hidden_state hidden_states attentions router_probs router_logits
MoeModelOutputWithPast: last_hidden_state cache hidden_states attentions router_logits
MoeCausalLMOutputWithPast: loss aux_loss logits cache hidden_states attentions router_logits
MoEModelOutputWithPastAndCrossAttentions: last_hidden_state cache hidden_states attentions
    cross_attentions router_probs router_logits
Seq2SeqModelOutput: last_hidden_state cache decoder_hidden_states decoder_attentions
    cross_attentions encoder_last_hidden_state encoder_hidden_states encoder_attentions
MultimodalBaseModelOutputWithPast: last_hidden_state cache hidden_states attentions
    image_outputs video_outputs audio_outputs
MultimodalCausalLMOutputWithPast: loss logits cache hidden_states attentions image_outputs
    video_outputs audio_outputs
MultimodalMoeBaseModelOutputWithPast: last_hidden_state cache hidden_states attentions
    router_logits image_outputs video_outputs audio_outputs
MultimodalMoeCausalLMOutputWithPast: loss aux_loss logits cache hidden_states attentions
    router_logits image_outputs video_outputs audio_outputs
Seq2SeqMoEModelOutput: last_hidden_state cache decoder_hidden_states decoder_attentions
    decoder_router_logits cross_attentions encoder_last_hidden_state encoder_hidden_states
    encoder_attentions encoder_router_logits
CausalLMOutput: loss logits hidden_states attentions
CausalLMOutputWithPast: loss logits cache hidden_states attentions
CausalLMOutputWithCrossAttentions: loss logits cache hidden_states attentions cross_attentions
SequenceClassifierOutputWithPast: loss logits cache hidden_states attentions
MaskedLMOutput: loss logits hidden_states attentions
Seq2SeqLMOutput: loss logits cache decoder_hidden_states decoder_attentions cross_attentions
    encoder_last_hidden_state encoder_hidden_states encoder_attentions
Seq2SeqMoEOutput: loss logits encoder_z_loss decoder_z_loss encoder_aux_loss decoder_aux_loss
    cache decoder_hidden_states decoder_attentions decoder_router_logits cross_attentions
    encoder_last_hidden_state encoder_hidden_states encoder_attentions encoder_router_logits
NextSentencePredictorOutput: loss logits hidden_states attentions
SequenceClassifierOutput: loss logits hidden_states attentions
Seq2SeqSequenceClassifierOutput: loss logits cache decoder_hidden_states decoder_attentions
    cross_attentions encoder_last_hidden_state encoder_hidden_states encoder_attentions
MultipleChoiceModelOutput: loss logits hidden_states attentions
TokenClassifierOutput: loss logits hidden_states attentions
QuestionAnsweringModelOutput: loss start_logits end_logits hidden_states attentions
Seq2SeqQuestionAnsweringModelOutput: loss start_logits end_logits cache decoder_hidden_states
    decoder_attentions cross_attentions encoder_last_hidden_state encoder_hidden_states
    encoder_attentions
SemanticSegmenterOutput: loss logits hidden_states attentions
ImageClassifierOutput: loss logits hidden_states attentions
ImageClassifierOutputWithNoAttention: loss logits hidden_states
DepthEstimatorOutput: loss predicted_depth hidden_states attentions
ImageSuperResolutionOutput: loss reconstruction hidden_states attentions
Wav2Vec2BaseModelOutput: last_hidden_state extract_features hidden_states attentions
XVectorOutput: loss logits embeddings hidden_states attentions
BackboneOutput: feature_maps hidden_states attentions
BaseModelOutputWithPoolingAndProjection: last_hidden_state pooler_output hidden_states
    attentions projection_state
Seq2SeqSpectrogramOutput: loss spectrogram cache decoder_hidden_states decoder_attentions
    cross_attentions encoder_last_hidden_state encoder_hidden_states encoder_attentions
Seq2SeqTSModelOutput: last_hidden_state cache decoder_hidden_states decoder_attentions
    cross_attentions encoder_last_hidden_state encoder_hidden_states encoder_attentions loc scale
    static_features
Seq2SeqTSPredictionOutput: loss params cache decoder_hidden_states decoder_attentions
    cross_attentions encoder_last_hidden_state encoder_hidden_states encoder_attentions loc scale
    static_features
SampleTSPredictionOutput: sequences
MaskedImageModelingOutput: loss reconstruction hidden_states attentions
"""

# What a field was called before.
_FORMER = {"past_key_values": "cache", "cache_params": "cache"}


def _make(name, names):
    fields = [(field, object, None) for field in names]
    made = dataclasses.make_dataclass(name, fields, bases=(ModelOutput,), module=__name__)
    if "cache" in names:
        _take_former(made)
    return made


def _take_former(cls):
    plain = cls.__init__

    def __init__(self, *args, **kwargs):
        plain(self, *args, **{_FORMER.get(key, key): value for key, value in kwargs.items()})

    cls.__init__ = __init__
    for former in _FORMER:
        setattr(cls, former, property(lambda self: self.cache))


for _line in _FIELDS.replace("\n    ", " ").strip().split("\n"):
    _name, _, _names = _line.partition(":")
    globals()[_name] = _make(_name, _names.split())
MoECausalLMOutputWithPast = MoeCausalLMOutputWithPast  # noqa: F821
