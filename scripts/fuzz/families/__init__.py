"""Families of lines beside those of lines.py: one file each, with one function that adds to a program."""

from families.attentions import add_attention
from families.derivatives import add_derivative
from families.factories import add_factory
from families.forms import add_form
from families.indexing import add_index
from families.keywords import add_keyword
from families.networks import add_network
from families.operators import add_operator
from families.texts import add_text
from modules import add_module

FAMILIES = {
    "attentions": add_attention,
    "derivatives": add_derivative,
    "factories": add_factory,
    "forms": add_form,
    "indexing": add_index,
    "keywords": add_keyword,
    "modules": add_module,
    "networks": add_network,
    "operators": add_operator,
    "texts": add_text,
}
