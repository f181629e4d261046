"""Functions of the file that make a class of parts: `def build(vocab_size, d_model=512): … return Model(encoder, …)`."""

import ast
import inspect

from ._plan_given import Arguments
from ._plan_usage import Made
from ._syntax import module_tree


class FactoryArguments(Arguments):
    """What a function that makes the model is called with."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.imports = [function.__name__]

    def maker(self, cls):
        return self.function

    def construct(self, cls):
        model = super().construct(cls)
        if not isinstance(model, cls):
            raise TypeError(f"{self.function.__name__}() makes another class")
        return model

    def text(self, entry):
        return super().text(self.function.__name__)

    def told(self):
        return self.text("")


def factories(module, cls):
    """The functions of the file that call the class and return what they made, in their order."""
    for node in module_tree(module).body:
        function = vars(module).get(getattr(node, "name", None))
        if inspect.isfunction(function) and _makes(node, cls.__name__):
            yield function


def takes_parts(arguments):
    """Whether modules were made up for the constructor, which a function of the file would know better."""
    return any(isinstance(it, Made) and "(" in it.text for it in arguments.values.values())


def _makes(node, name):
    inner = [*ast.walk(node)] if isinstance(node, ast.FunctionDef) else []
    calls = any(isinstance(it, ast.Call) and getattr(it.func, "id", None) == name for it in inner)
    return calls and any(isinstance(it, ast.Return) and it.value is not None for it in inner)
