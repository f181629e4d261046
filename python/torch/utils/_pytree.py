"""Nested lists, tuples and dicts as a flat list and a description of the nesting."""

import collections

__all__ = [
    "LeafSpec",
    "TreeSpec",
    "tree_all",
    "tree_any",
    "tree_flatten",
    "tree_leaves",
    "tree_map",
    "tree_map_only",
    "tree_structure",
    "tree_unflatten",
]


class TreeSpec:
    """How the leaves below one node are nested."""

    def __init__(self, type, context, children_specs):
        self.type = type
        self.context = context
        self.children_specs = children_specs
        self.num_leaves = sum(spec.num_leaves for spec in children_specs) if type else 1

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and (
            (self.type, self.context, self.children_specs)
            == (other.type, other.context, other.children_specs)
        )

    __hash__ = None


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])


_registered = {}


def register_pytree_node(cls, flatten_fn, unflatten_fn, **options):
    _registered[cls] = (flatten_fn, unflatten_fn)


_register_pytree_node = register_pytree_node


def _children(tree):
    """(context, children), or None for a leaf."""
    cls = type(tree)
    if cls in _registered:
        children, context = _registered[cls][0](tree)
        return context, list(children)
    if cls in (list, tuple):
        return None, list(tree)
    if cls in (dict, collections.OrderedDict, collections.defaultdict):
        return list(tree), list(tree.values())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return cls, list(tree)
    return None


def tree_flatten(tree, is_leaf=None):
    found = None if is_leaf is not None and is_leaf(tree) else _children(tree)
    if found is None:
        return [tree], LeafSpec()
    context, children = found
    leaves, specs = [], []
    for child in children:
        below, spec = tree_flatten(child, is_leaf)
        leaves += below
        specs.append(spec)
    return leaves, TreeSpec(type(tree), context, specs)


def tree_unflatten(leaves, treespec):
    if not isinstance(treespec, TreeSpec):
        leaves, treespec = treespec, leaves
    return _rebuilt(iter(leaves), treespec)


def _rebuilt(leaves, spec):
    if spec.is_leaf():
        return next(leaves)
    children = [_rebuilt(leaves, child) for child in spec.children_specs]
    if spec.type in _registered:
        return _registered[spec.type][1](children, spec.context)
    if spec.type in (list, tuple):
        return spec.type(children)
    if spec.type is collections.defaultdict:
        return dict(zip(spec.context, children))
    if isinstance(spec.context, list):
        return spec.type(zip(spec.context, children))
    return spec.type(*children)


class MappingKey:
    """Where in a dict a child lies."""

    def __init__(self, key):
        self.key = key

    def __str__(self):
        return f"[{self.key!r}]"


def _dict_flatten(d):
    return list(d.values()), list(d.keys())


def _dict_unflatten(values, context):
    return dict(zip(context, values))


def _dict_flatten_with_keys(d):
    values, context = _dict_flatten(d)
    return [(MappingKey(key), it) for key, it in zip(context, values)], context


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [tree_leaves(rest, is_leaf) for rest in rests]
    return tree_unflatten([func(*items) for items in zip(leaves, *others)], spec)


def tree_map_only(types, func, tree=None, is_leaf=None):
    return tree_map(lambda x: func(x) if isinstance(x, types) else x, tree, is_leaf=is_leaf)


def tree_any(predicate, tree, is_leaf=None):
    return any(map(predicate, tree_leaves(tree, is_leaf)))


def tree_all(predicate, tree, is_leaf=None):
    return all(map(predicate, tree_leaves(tree, is_leaf)))
