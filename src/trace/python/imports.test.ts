import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenPython, pythonIn, workspaceWith } from "../../../test/python/workspace.ts";

const fallbacks = [
  "try:\n  import flash_attn\n  FOUND = True\nexcept ImportError:\n  FOUND = False",
  "try:\n  from flash_attn.ops import f\n  FOUND = True\nexcept (ImportError, OSError):\n  FOUND = False",
  "try:\n  import flash_attn\n  FOUND = True\nexcept:\n  FOUND = False",
  "import contextlib\nFOUND = False\nwith contextlib.suppress(ModuleNotFoundError):\n  import flash_attn\n  FOUND = True",
  "import importlib\ntry:\n  importlib.import_module('flash_attn')\n  FOUND = True\nexcept Exception:\n  FOUND = False",
  "import importlib.util\nFOUND = importlib.util.find_spec('flash_attn') is not None",
  "import importlib.metadata\ntry:\n  FOUND = importlib.metadata.version('flash_attn')\nexcept importlib.metadata.PackageNotFoundError:\n  FOUND = False",
];

const unguarded = `
import megatron.nn.model_parallel.initialize as mg_init
from megatron.nn.layers import ColumnParallelLinear, RowParallelLinear
try:
    x = 1
except ImportError:
    pass
def annotated(x: "ColumnParallelLinear", y: ColumnParallelLinear = None) -> mg_init.Thing[int]: pass
`;

const harmless: [string, unknown][] = [
  ["return 1", 1],
  ["return isinstance(3, ColumnParallelLinear)", false],
  ["return 1 if ColumnParallelLinear is None else 2", 2],
];

const uses = [
  "return ColumnParallelLinear(3)",
  "return mg_init.initialize_model_parallel(1)",
  "class A(ColumnParallelLinear): pass",
];

/** At the top level of a file: what is made there is refused when it is used. */
const topLevel: [string, string, unknown][] = [
  ["@mg_init.register\ndef made(): return 1", "return 2", 2],
  ["@mg_init.register(name='x')\ndef made(): return 1", "return 2", 2],
  ["log = mg_init.logger.bind(a=1)", "return 2", 2],
  ["class Made(ColumnParallelLinear): pass", "return 2", 2],
  ["import torch\nclass Made(torch.nn.Module, ColumnParallelLinear): pass", "return 2", 2],
  ["@mg_init.register\ndef made(): return 1", "return made()", 1],
  ["log = mg_init.logger.bind(a=1)", "log.info('x')", "megatron"],
  ["class Made(ColumnParallelLinear): pass", "return Made(3)", "megatron"],
  ["from torch.utils.checkpoint import check_backward_validity as made", "return 2", 2],
  [
    "from torch.utils.checkpoint import check_backward_validity as made",
    "made(1)",
    "not supported",
  ],
  ["from timm.models.vision_transformer import PatchDropout as made", "return 2", 2],
  ["from timm.models.vision_transformer import PatchDropout as made", "made()", "not supported"],
  ["from torch.nn.attention import some_backend as made", "made(1)", "not supported"],
];

/** One workspace and one Python serve all tests: each has a module of its own in it. */
const files: Record<string, string> = {
  "noted.py": "import tiktoken\ndef f():\n  return tiktoken.get('gpt2')",
  "broken.py": "import pkg.absent\ndef f(): pass",
  "local.py": "from pkg.a import value\nimport other\ndef f(): return [value, other.b]",
  "other.py": "b = 4",
  "versions.py":
    "from distutils.version import LooseVersion as V\ndef f(): return [V('1.10.0') >= V('1.9'), V('2.1') < '1.0']",
  "pkg/__init__.py": "",
  "pkg/a.py": "from .b import value",
  "pkg/b.py": "value = 3",
  "jaxtyping/__init__.py": "value = 'own'",
  "zeta.py": "value = 'own'",
  "shadow.py": "import jaxtyping, zeta\ndef f(): return [jaxtyping.value, zeta.value]",
  "settings.py":
    "import torch._dynamo.config as c\nimport torch.utils.checkpoint as k\nc.cache_size_limit = 64\ndef f():\n  import torch\n  return [torch._dynamo.config.cache_size_limit, len(k._ignored_ops)]",
  "choices.py":
    "import PIL\nversion = tuple(int(x) for x in PIL.version)[:2]\ndef f(): return list(version)",
};
for (const [i, source] of fallbacks.entries()) {
  files[`fallback${i}.py`] = `${source}\ndef f(): return FOUND`;
}
for (const [i, [body]] of harmless.entries()) {
  files[`harmless${i}.py`] = `${unguarded}def f(): ${body}`;
}
for (const [i, body] of uses.entries()) {
  files[`use${i}.py`] = `${unguarded}def f():\n    ${body}`;
}

for (const [i, [before, body]] of topLevel.entries()) {
  files[`top${i}.py`] = `${unguarded}${before}\ndef f():\n    ${body}`;
}

let root: string;
let python: OpenPython;
beforeAll(async () => {
  root = workspaceWith(files, { whenOver: afterAll });
  python = await pythonIn(root);
});

/** What calling `f` of the module gives: its value, or the error as one line. */
function outcomeOf(module: string): unknown {
  const result = python.call(module, "f");
  if (result.ok) return result.value;
  const { type, message, code, frames } = result.error;
  return `${type}: ${message} [${code}] line ${frames.at(-1)?.line}`;
}

test.each(fallbacks.map((source, i) => [source, i] as const))(
  "a missing package takes the file's own fallback: %s",
  (_, i) => {
    expect(outcomeOf(`fallback${i}`)).toBe(false);
  },
);

test.each(harmless.map(([body, value], i) => [body, value, i] as const))(
  "a package that is missing and not used does no harm: %s",
  (_, value, i) => {
    expect(outcomeOf(`harmless${i}`)).toBe(value);
  },
);

test.each(uses.map((body, i) => [body, i] as const))(
  "a missing package is refused where it is used: %s",
  (_, i) => {
    expect(outcomeOf(`use${i}`)).toMatch(
      /^ModuleNotFoundError: No module named 'megatron', which megatron\.\S+ needs \[trace\/missing-package\] line 10$/,
    );
  },
);

test.each(topLevel.map(([before, body, wanted], i) => [before, body, wanted, i] as const))(
  "what a file makes of a missing package is refused at its use: %s; %s",
  (_, _body, wanted, i) => {
    const outcome = outcomeOf(`top${i}`);
    if (typeof wanted === "string") expect(outcome).toContain(wanted);
    else expect(outcome).toBe(wanted);
  },
);

test("says where the missing package was imported", () => {
  const result = python.call("noted", "f");
  expect(!result.ok && result.error.text.replaceAll(root, "")).toMatchInlineSnapshot(`
    "Traceback (most recent call last):
      File "/noted.py", line 3, in f
        return tiktoken.get('gpt2')
               ~~~~~~~~~~~~^^^^^^^^
    ModuleNotFoundError: No module named 'tiktoken', which tiktoken.get needs
    It was imported in /noted.py, line 1
    "
  `);
});

test("versions compare by their numbers", () => {
  expect(outcomeOf("versions")).toEqual([true, false]);
});

test("a missing module of the user's own package is an error at once", () => {
  expect(outcomeOf("broken")).toBe(
    "ModuleNotFoundError: No module named 'pkg.absent' [null] line 1",
  );
});

test("modules of the workspace are found, also by relative import", () => {
  expect(outcomeOf("local")).toEqual([3, 4]);
});

test("a package of the workspace goes before what stands in for it", () => {
  expect(outcomeOf("shadow")).toEqual(["own", "own"]);
});

test("a table made of a missing package at the top of a file is empty", () => {
  expect(outcomeOf("choices")).toEqual([]);
});

test("settings of the compiler are a module", () => {
  expect(outcomeOf("settings")).toEqual([64, 0]);
});
