"""Files of settings in YAML."""

# %% values, blocks and flows
import yaml

r1 = yaml.safe_load("a: 1\nb:\n  - 1.5\n  - x\nc: {d: true, e: null}\n")
r2 = yaml.safe_load("lr: 1e-4\nlr2: 1.0e-4\nname: 'q''s'\nlist: [1, 2, 3]\n")
r3 = yaml.load("- 1\n-\n  - 3\n  - x: 1\n    y: 2\n- - 4\n  - 5\n", Loader=yaml.FullLoader)
r4 = yaml.safe_load("# c\nm:\n  name: vit  # hm\n  dims: [64,\n    128]\n  url: http://x.y/z\nt:\n- a\n- b\n")
r5 = yaml.safe_load("a: &x\n  p: 1\nb:\n  <<: *x\n  q: 2\nc: *x\n")
r6 = yaml.safe_load("t: |\n  line1\n   line2\n\n  line3\nu: >\n  a\n  b\n\n  c\nv: |-\n  x\n")
r7 = yaml.safe_load("a: yes\nb: No\nc: ~\nd:\ne: ''\nf: \"x\\n\\u0041\"\ng: 0x1F\nh: 017\ni: .inf\nj: 1_000")
r8 = list(yaml.safe_load_all("---\na: 1\n---\nb: 2\n"))
r9 = yaml.safe_load("a: this is\n  long text\nb: 1\n")
r10 = yaml.safe_load("{a: 1, b: [x, y], 'c d': {e: }}")
r11 = yaml.safe_load("a: 'it # not'\nb: \"x: y\"\nc: a#b\n")
r12 = yaml.safe_load("")

# %% written
import yaml

r1 = yaml.dump({"z": {"y": [{"p": 1, "q": [1, [2, 3]]}, []], "x": {}}, "s": "yes", "t": "1", "u": "a b"})
r2 = yaml.safe_dump({"v": "a: b", "w": None, "f": 1e-4, "g": 0.1, "h": True, "k": "", "m": "x'y"}, sort_keys=False)
r3 = yaml.dump([1, "x", "-1", "- x", "a #b", "#c"])

# %% loaders of one's own: numbers that a pattern tells
import re
import yaml


class Loader(yaml.SafeLoader):
    pass


Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+$"), list("-+0123456789."))
Loader.add_constructor("tag:yaml.org,2002:python/tuple", lambda loader, node: tuple(loader.construct_sequence(node)))
r1 = yaml.load("lr: 1e-4\nwarm: 2e3\nname: 1e-x\nsteps: 10\nlist: [1e5, 1_0e1, '1e5', x]\n", Loader=Loader)
r2 = yaml.safe_load("lr: 1e-4")

# %% mistakes
import yaml

try:
    yaml.safe_load("a: [1, 2")
except yaml.YAMLError as e:
    r1 = "not read"
try:
    yaml.safe_load("a: *x")
except yaml.YAMLError as e:
    r2 = "not read"
