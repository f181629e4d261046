"""Made-up inputs: by the names of forward's arguments, and by what the model is made of."""

import inspect

from ._plan_arguments import PlanError
from ._plan_by_use import is_of_edges
from ._plan_chain import chain_of
from ._plan_form import IMAGES, OF_CHAINS, VIDEOS, Form, forward_parameters
from ._plan_held import HeldArguments
from ._plan_lists import beside_changed, maps_in_place_of, of_other_length
from ._plan_model import ModelFacts
from ._plan_rules import DictRule, ListRule, PaddedRule, Rule, leaves_of
from ._plan_shapes import Reading

_BATCH = 4


def input_rules(model, specs, sizes, arguments):
    """Lists of rules, the most likely first; what the user says replaces what is inferred.

    A generator: it is sent the error of each, and reads from it what to give instead.
    """
    parameters = forward_parameters(model)
    unknown = set(specs) - {name for name, _ in parameters}
    if unknown:
        raise PlanError(
            "plan/unknown-input",
            f"forward takes no argument '{min(unknown)}'",
            f"It takes {', '.join(name for name, _ in parameters)}",
            type(model).forward,
        )
    facts = ModelFacts(model, arguments)
    size = (sizes.get("batch") or _batch(facts), sizes.get("seq") or facts.length)
    seen = []
    for form in _forms(facts, parameters, size):
        instead = {}
        for _ in range(_REPAIRS):
            made = _rules(form, parameters, specs, instead)
            key = [(rule.name, rule.text) for rule in made]
            if key in seen:
                break
            seen.append(key)
            error = yield made
            if error is None:
                break
            change = _change(model, form, made, specs, error)
            if change is None:
                break
            instead |= change


def _batch(facts):
    # Whole photographs cost what hundreds of tokens do.
    return 2 if facts.is_of_images and facts.image[1] > 64 else _BATCH


# How often one reading of the arguments is changed by what an error tells.
_REPAIRS = 6


def _rules(form, parameters, specs, instead):
    made = []
    for name, parameter in parameters:
        rule = form.rule(name, parameter, specs.get(name))
        if isinstance(rule, DictRule):
            rule = rule.changed(instead)
        else:
            rule = instead.get(name) or rule
        if rule is not None:
            made.append(rule)
    return made


def _change(model, form, made, specs, error):
    optional = _optional_names(model)
    made = [it for rule in made for it in leaves_of(rule)]
    lists = [rule for rule in made if isinstance(rule, ListRule)]
    if (longer := of_other_length(lists, error)) is not None:
        return longer

    def make(name, shape, below=None, value=None):
        old = next(rule for rule in made if rule.name == name)
        if isinstance(old, PaddedRule):
            return PaddedRule(name, shape, old.cls, old.keyword) if len(shape) == 4 else old
        if isinstance(old, ListRule):
            return old.changed(maps_in_place_of(old, shape), below=below)
        if value is not None:
            return Rule(name, shape, None, old.keyword, value=value)
        # Images and vectors are no tokens.
        stays = below is None and len(shape) == len(old.shape or ())
        below = old.below if stays else below
        return Rule(name, shape, below, old.keyword)

    def spare(name):
        is_given = any(rule.name == name and rule.value is not None for rule in made)
        is_none = any(
            rule.name == name and rule.shape is None and rule.value is None for rule in made
        )
        if (
            (name not in optional and not is_none)
            or is_given
            or any(rule.name == name and rule.shape for rule in made)
        ):
            return None
        rule = form.spare(name)
        # What stands before others stays there.
        rule.keyword = not is_none
        return rule

    free = [rule for rule in made if rule.name not in specs]
    change = Reading(form.facts, form.size, free, make, spare, form.held.is_embedded).change(error)
    if change is None or set(change) & set(specs):
        return None
    return {**beside_changed(lists, change), **change}


def _forms(facts, parameters, size):
    required = [name for name, it in parameters if it.default is inspect.Parameter.empty]
    held = HeldArguments(facts.model)
    required += [part for name in required for part in held.parts(name)]
    masks = [None, "tt", "bt", *OF_CHAINS] if any("mask" in name for name in required) else [None]
    if any("mask" in key for name in required for key in held.keys(name)):
        masks = ["bt", None]
    if (chain := chain_of(facts.model)) is not None and chain.masks:
        masks = [*OF_CHAINS, None]
    readings = (False, True) if any(map(held.may_be_list, required)) else (False,)
    for fills in (False,) if required else (True, False):
        for by_name in (True, False):
            for mask in masks:
                for kind, width in _kinds(facts, held.names_within(required)):
                    for lists in readings:
                        yield Form(facts, kind, size, width, mask, by_name, fills, lists)
    if facts.is_of_images and not facts.tells_image_size:
        large = facts.with_image_size(224)
        yield Form(large, "images", (min(size[0], _batch(large)), size[1]))


def _kinds(facts, required):
    """Kinds of input with the width of their last axis, the most likely first."""
    first = required[0] if required else ""
    images = [("video", None)] if facts.frames else []
    images += [("images", None)] if facts.is_of_images else []
    tokens = [("tokens", None)] if facts.vocabulary is not None else []
    widths = facts.widths[:4]
    features = [("features", width) for width in widths]
    is_image = bool(IMAGES.match(first) or VIDEOS.match(first))
    ordered = (
        [*images, *tokens]
        if is_image or facts.size("image_size", "img_size")
        else [*tokens, *images]
    )
    if any(map(is_of_edges, required)):
        features.insert(0, ("vectors", widths[0]))
    if facts.rows is not None:
        features.insert(1, ("rows", None))
    head = max(widths[0] // facts.heads, 1) if facts.heads else 16
    return [
        *ordered,
        *features,
        ("vectors", widths[0]),
        ("heads", head),
        ("heads", widths[0]),
        ("images", None),
    ]


def _optional_names(model):
    """Arguments of forward that have None for a default."""
    parameters = inspect.signature(model.forward).parameters
    return {name for name, it in parameters.items() if it.default is None}
