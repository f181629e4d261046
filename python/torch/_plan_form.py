"""One reading of the arguments of forward: a rule for each, by its name and by the kind of what is made up."""

import inspect
import math
import re

from ._plan_by_use import rule_by_use
from ._plan_chain import chain_of, is_of_target
from ._plan_held import HeldArguments
from ._plan_model import handed_on
from ._plan_rules import (
    TARGETS,
    CausalRule,
    DictRule,
    LayerRule,
    ListRule,
    ObjectRule,
    PaddedRule,
    Rule,
    SharesRule,
    TupleRule,
)

_ANY = inspect.Parameter.empty


def forward_parameters(model):
    if (chain := chain_of(model)) is not None:
        return chain.parameters
    named = _named_parameters(model.forward)
    if any(it.kind is not inspect.Parameter.KEYWORD_ONLY for _, it in named):
        return named
    # `forward(self, *args)` hands them on: they are those of what it calls.
    inner = handed_on(model)
    return named if inner is None else [*_named_parameters(inner), *named]


def _named_parameters(function):
    return [
        (name, parameter)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]


IMAGES = re.compile(r"^(img|imgs|image|images|pixel|pixels|pixel_values|frame)\d?$")
VIDEOS = re.compile(r"^(video|videos|frames)$")
_TOKENS = re.compile(
    r"^(text|texts|tokens?|idx|ids|input_ids|token_ids|.*_ids|caption.*|src.*|trg.*|tgt.*|seq)$"
)
_CLASSES = re.compile(r"^(y|labels?|classes|class_labels?|class_ids|cond)$")
_STEPS = re.compile(
    r"^(t|ts|time|times|(diffusion_)?(time_?)?steps?|diffusion_t|diffusion_time|noise_level.*|sigma)$"
)
_SEGMENTS = re.compile(r"segment|token_type|type_ids|(^|_)segs?$")
_CONTEXTS = re.compile(
    r"^(context|cond|condition|memory|encoder_hidden_states|encoder_out|enc_out\w*|.*_emb|cross)$"
)
_CONTEXT_WIDTHS = (
    "context_dim",
    "cross_attention_dim",
    "joint_attention_dim",
    "caption_channels",
    "text_dim",
    "text_embed_dim",
    "cond_dim",
    "clip_dim",
)
_SIDES = re.compile(r"^(H|W|h|w|height|width|hh|ww)$")
_OTHER_SIDE = {"h": "w", "w": "h"}
_PAIRS = re.compile(r"^(im|img|image|x|feat|grid|spatial|patch)_(size|shape|resolution)$|^hw$")
# What all else of a forward that requires nothing is about.
_MAIN = re.compile(
    r"^(images?|imgs?|pixel_values|texts?|tokens?|input_ids|input_features|input_values|inputs?|x|idx|src)$"
)
# Ids of places, and a number for each pair of them.
_PLACES = re.compile(r"(^|_)pos(ition)?s?(_ids?|_idx)?$")
_MATRICES = re.compile(r"matri(x|ces)$")
_GRAPHS = re.compile(r"^(adj|adjacency|adj_mat|adj_matrix|A)$")
# What is taken apart into whole numbers, or into the rows of one tensor.
_WHOLE = re.compile(r"size|shape|resol|hw|dims?|grid|len|edge")
_LENGTHS = re.compile(r"(^|_)[iot]?(lengths?|lens?)$")
_OPTIONAL_NUMBER = re.compile(r"Optional\[(int|float|str)\]|\b(int|float|str) \| None")
_SWITCHES = re.compile(r"^(is_|use_|return_|training|causal|need_|output_)")


class Form:
    """One reading of all arguments: each by its name where that tells, else all of one kind."""

    def __init__(
        self, facts, kind, size, width=None, mask=None, by_name=True, fills=False, lists=False
    ):
        self.facts = facts
        # Whether what may be a list is one.
        self.lists = lists
        self.held = HeldArguments(facts.model)
        self.kind = kind
        self.size = size
        self.width = width
        self.mask = mask
        self.by_name = by_name
        # Whether what forward could do without, but is made for, is given.
        self.fills = fills

    def rule(self, name, parameter, spec):
        if spec is None and parameter.default is inspect.Parameter.empty:
            keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY
            if keys := self.held.keys(name):
                return DictRule(name, self._items(keys, parameter), keyword)
            parts = [] if _WHOLE.search(name) else self.held.parts(name)
            items = self._items(dict.fromkeys(parts), parameter)
            if len({it.text for it in items}) > 1:
                return TupleRule(name, items, keyword)
            if (padded := self.held.padded_class(parameter)) is not None:
                return PaddedRule(name, self._shape("images"), padded, keyword)
            if attributes := self.held.attributes(name):
                return ObjectRule(name, self._attributes(attributes, parameter), keyword)
            if self.held.is_dict(name):
                return DictRule(name, [], keyword)
            if choices := self.held.choices(name):
                return Rule(name, None, None, keyword, value=choices[0])
            if self.held.is_list(parameter) or (self.lists and self.held.may_be_list(name)):
                return self._list(name, keyword)
        return self._single(name, parameter, spec)

    def _items(self, names, parameter):
        return [self._single(it, parameter.replace(annotation=_ANY), None) for it in names]

    def _attributes(self, attributes, parameter):
        """Rules of an object's attributes; `attributes` has the keys of those that are dicts."""
        return [
            DictRule(it, self._items(keys, parameter)) if keys else self._items([it], parameter)[0]
            for it, keys in attributes.items()
        ]

    def _list(self, name, keyword):
        count, widths = self.facts.levels
        if "mask" in name:
            return ListRule(name, self.size, count, None, keyword, False)
        one = self._tensor(name, keyword)
        return ListRule(name, one.shape, count, one.below, keyword, widths=widths)

    def _single(self, name, parameter, spec):
        keyword = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if spec is not None:
            below = spec["below"]
            if below is None and spec["dtype"] == "bool":
                return Rule(name, tuple(spec["shape"]), None, keyword, value=True)
            if below is None and spec["dtype"].startswith("int"):
                below = self.facts.vocabulary or 2
            return Rule(name, tuple(spec["shape"]), below, keyword, spec["dtype"])
        if self.fills and parameter.default is None and _MAIN.match(name):
            return self._tensor(name, True)
        if parameter.default is not inspect.Parameter.empty:
            wants_targets = name in TARGETS and self.kind == "tokens" and parameter.default is None
            return Rule(name, self.size, self.facts.vocabulary, True) if wants_targets else None
        if name.startswith("x_mark"):
            # Month, day, weekday and hour, as shares of theirs: whole ones are the first of a table.
            return SharesRule(name, (*self._series(name)[:2], 4), None, keyword)
        if name in ("x_enc", "x_dec"):
            return Rule(name, self._series(name), None, keyword)
        if _GRAPHS.match(name):
            rows = self.size[1] if self.kind != "vectors" else self.size[0]
            return Rule(name, (rows, rows), None, keyword)
        if "mask" in name and not _PLACES.search(name):
            return self._mask(name, keyword)
        if name in ("start_pos", "offset", "pos_offset", "input_pos", "layer_idx", "start"):
            return Rule(name, None, None, keyword, value=0)
        if self.held.is_place_of_list(name):
            return Rule(name, None, None, keyword, value=0)
        if self.held.is_called(name):
            return LayerRule(name, None, None, keyword)
        is_switch = _SWITCHES.match(name) or self.held.is_switch(name)
        if _kind_of(parameter) == "bool" or is_switch:
            return Rule(name, None, None, keyword, value=False)
        if _SIDES.match(name) and self._has_other_side(name):
            # The rows and columns of what is handed on as a row of patches.
            return Rule(name, None, None, keyword, value=math.isqrt(self.size[1]))
        if _PAIRS.match(name):
            side = math.isqrt(self.size[1])
            # Of the image that the patches are of.
            side *= (self.facts.size("patch_size") or 1) if name.startswith("im") else 1
            return Rule(name, None, None, keyword, value=(side, side))
        if name in ("device", "dtype"):
            return Rule(name, None, None, keyword)
        if name == "n":
            # Of how many positions a table is made.
            return Rule(name, None, None, keyword, value=self.size[1])
        if _OPTIONAL_NUMBER.search(str(parameter.annotation)):
            return Rule(name, None, None, keyword)
        if _kind_of(parameter) in ("int", "float"):
            return Rule(name, None, None, keyword, value=1)
        if _kind_of(parameter) in ("LongTensor", "IntTensor"):
            return self._whole_numbers(name, keyword)
        by_use = rule_by_use(self.facts, self.held, name, self.kind, self.size, keyword)
        if self.by_name and by_use is not None:
            return by_use
        if _LENGTHS.search(name):
            return Rule(name, (self.size[0],), None, keyword, value=self.size[1])
        return self._tensor(name, keyword)

    def _has_other_side(self, name):
        """Whether forward takes a width beside the height: `h` alone are hidden states."""
        other = _OTHER_SIDE[name[0].lower()]
        return any(
            _SIDES.match(it) and it[0].lower() == other
            for it, _ in forward_parameters(self.facts.model)
        )

    def _follows_another(self, name):
        return forward_parameters(self.facts.model)[0][0] != name

    def _whole_numbers(self, name, keyword):
        if "label" in name or "class" in name:
            return Rule(name, self.size[:1], self.facts.classes, keyword)
        if _STEPS.match(name) and self._follows_another(name):
            return Rule(name, self.size[:1], 100, keyword)
        return Rule(name, self.size, self.facts.vocabulary or self.facts.classes, keyword)

    def spare(self, name):
        """A rule for an optional argument after all."""
        if "mask" in name:
            return Rule(name, self.size, None, True, value=True)
        parameter = dict(forward_parameters(self.facts.model)).get(name)
        if parameter is None:
            return self._tensor(name, True)
        rule = self._single(name, parameter.replace(default=_ANY), None)
        return rule if rule.shape is not None else self._tensor(name, True)

    def _mask(self, name, keyword):
        if self.mask is None:
            return Rule(name, None, None, keyword)
        sizes = {"b": self.size[0], "t": self.size[1], "1": 1}
        if self.mask in OF_CHAINS and is_of_target(name):
            causal = [sizes[letter] for letter in OF_CHAINS[self.mask]]
            return CausalRule(name, tuple(causal), None, keyword, value=True)
        shape = [sizes[letter] for letter in self.mask]
        return Rule(name, tuple(shape), None, keyword, value=True)

    def _tensor(self, name, keyword):
        facts, (batch, length) = self.facts, self.size
        kind = self.kind
        if self.by_name:
            if kind in ("images", "video", "features") and _STEPS.match(name):
                return Rule(name, (batch,), 100, keyword)
            if kind == "tokens" and _STEPS.match(name) and self._follows_another(name):
                return Rule(name, (batch,), 100, keyword)
            if kind in ("images", "video") and _CLASSES.match(name):
                return Rule(name, (batch,), facts.classes, keyword)
            if kind == "tokens" and _PLACES.search(name) and self._follows_another(name):
                return Rule(name, self.size, length, keyword)
            if kind == "tokens" and _MATRICES.search(name):
                return Rule(name, (batch, length, length), facts.vocabulary, keyword)
            if kind == "tokens" and _SEGMENTS.search(name):
                return Rule(name, self.size, 2, keyword)
            if kind in ("images", "video", "tokens") and _CONTEXTS.match(name):
                width = facts.size(*_CONTEXT_WIDTHS) or facts.widths[0]
                return Rule(name, (batch, length, width), None, keyword)
            kind = self._named_kind(name) or kind
        below = facts.vocabulary if kind == "tokens" else None
        return Rule(name, self._shape(kind), below, keyword)

    def _named_kind(self, name):
        if IMAGES.match(name) and self.facts.is_of_images:
            return "images"
        if VIDEOS.match(name) and self.facts.frames:
            return "video"
        return "tokens" if _TOKENS.match(name) and self.facts.vocabulary else None

    def _series(self, name):
        """Steps of a time series: of the past, or what the decoder continues and its places for the rest."""
        facts, (batch, length) = self.facts, self.size
        past = facts.size("seq_len") or length
        if name.endswith("enc"):
            return (batch, past, facts.size("enc_in") or 7)
        ahead = facts.size("pred_len", "out_len") or past
        return (
            batch,
            (facts.size("label_len") or past // 2) + ahead,
            facts.size("dec_in", "enc_in") or 7,
        )

    def _shape(self, kind):
        facts, (batch, length) = self.facts, self.size
        if kind == "tokens":
            return self.size
        if kind == "images":
            return (batch, *facts.image)
        if kind == "video":
            channels, height, width = facts.image
            return (batch, channels, facts.frames, height, width)
        if kind == "heads":
            return (batch, facts.heads or 4, length, self.width)
        if kind == "rows":
            return (batch, facts.rows, length)
        if kind == "vectors":
            return (batch, self.width)
        return (batch, length, self.width)


def _kind_of(parameter):
    annotation = parameter.annotation
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None)


# Masks of the source's places, and of those that a place of the target sees.
OF_CHAINS = {"b11t": "11tt", "b1t": "1tt"}
