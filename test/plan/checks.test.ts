/** What a constructor's own checks, and examples in its docstring, tell of arguments that nobody gave. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const head = "import torch\nfrom torch import nn\n";

const cases: Readonly<Record<string, { source: string; plan: readonly string[] }>> = {
  "an example that the docstring of __init__ only constructs": {
    source: `${head}
class M(nn.Module):
    def __init__(self, names):
        """
        Examples::

            >>> net = M(names=["x"])
        """
        super().__init__()
        self.a = nn.Linear(8, {"x": 2}[names[0]])

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(names=['x'])"],
  },
  "sequences of the length that an error wants": {
    source: `${head}
from collections.abc import Sequence

def checked(sizes):
    if len(sizes) != 3:
        raise ValueError(f"Sequence must have length 3, got {len(sizes)}.")
    return sizes

class M(nn.Module):
    def __init__(self, in_channels: int, img_size: Sequence[int], patch_size: Sequence[int]):
        super().__init__()
        self.img_size = checked(img_size)
        self.a = nn.Conv3d(in_channels, 8, checked(patch_size), checked(patch_size))

    def forward(self, x):
        return self.a(x)
`,
    plan: ["img_size=(32, 32, 32), patch_size=(8, 8, 8)", "torch.randn(2, 3, 32, 32, 32)"],
  },
  "one of the texts that an assertion names": {
    source: `${head}
class M(nn.Module):
    def __init__(self, dim=8, kind="none"):
        super().__init__()
        assert kind in ["sa", "ca"], "unknown kind"
        self.a = nn.Linear(dim, dim)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["M(kind='sa')"],
  },
  "flags without which an else raises, one after the other": {
    source: `${head}
class M(nn.Module):
    def __init__(self, deep=False, wide=False, kind="none"):
        super().__init__()
        if deep:
            self.a = nn.Linear(8, 8)
        else:
            raise NotImplementedError
        if wide:
            self.b = nn.Linear(8, 8)
        else:
            raise NotImplementedError
        if kind == "first":
            self.c = nn.Linear(8, 8)
        elif kind == "second":
            self.c = nn.Linear(8, 4)
        else:
            raise ValueError(kind)

    def forward(self, x):
        return self.c(self.b(self.a(x)))
`,
    plan: ["M(deep=True, wide=True, kind='first')"],
  },
  "a field that a config is asked for, a dict that is spread": {
    source: `${head}
from dataclasses import dataclass
from transformers import PretrainedConfig, PreTrainedModel

@dataclass
class Part:
    input_size: int
    output_size: int

class Config(PretrainedConfig):
    def __init__(self, d_model: int = 8, **kwargs):
        self.d_model = d_model
        super().__init__(**kwargs)

class M(PreTrainedModel):
    config_class = Config

    def __init__(self, config: Config):
        assert hasattr(config, "part_config"), "no config of the part"
        super().__init__(config)
        part = Part(**config.part_config)
        self.a = nn.Linear(part.input_size, part.output_size)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["Config(part_config={'input_size': 64, 'output_size': 64})"],
  },
  "sequences of a kind that only the annotation tells, and a sum that is checked": {
    source: `${head}
from dataclasses import dataclass

@dataclass
class Config:
    hidden_size: int
    num_heads: int
    axes_dim: list[int]
    cache_dir: str

class M(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        wanted = config.hidden_size // config.num_heads
        if sum(config.axes_dim) != wanted:
            raise ValueError(f"Got {config.axes_dim} but expected {wanted}")
        self.a = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x):
        return self.a(x)
`,
    plan: ["Config(hidden_size=64, num_heads=4, axes_dim=[8, 8], cache_dir='')"],
  },
  "optional arguments that a check wants, times of whole numbers": {
    source: `${head}
class M(nn.Module):
    def __init__(self, width=16, joint_attention_dim=24):
        super().__init__()
        self.joint_attention_dim = joint_attention_dim
        self.a = nn.Conv2d(3, width, 1)
        self.b = nn.Linear(joint_attention_dim, width)

    def forward(
        self,
        hidden_states: torch.Tensor,
        encoder_hidden_states: torch.Tensor = None,
        timestep: torch.LongTensor = None,
    ):
        if encoder_hidden_states is None:
            raise ValueError("\`b\` requires \`encoder_hidden_states\` to be set")
        assert len(timestep.shape) == 1, "Timesteps should be a 1d-array"
        context = self.b(encoder_hidden_states).mean(1) + timestep[:, None]
        return self.a(hidden_states) + context[..., None, None]
`,
    plan: [
      "encoder_hidden_states = torch.randn(4, 64, 24)",
      "timestep = torch.randint(0, 100, (4,))",
    ],
  },
  "a number for what a condition compares": {
    source: `${head}
class M(nn.Module):
    def __init__(self, vocab_size=16):
        super().__init__()
        self.words = nn.Embedding(vocab_size, 8)
        self.heads = nn.ModuleList(nn.Linear(8, vocab_size) for _ in range(3))

    def forward(self, book, idx):
        assert book > 0, "cannot predict the first"
        return self.heads[book](self.words(idx))
`,
    plan: ["book = 1", "idx = torch.randint(0, 16, (4, 64))"],
  },
  "tensors in objects of the file that forward returns": {
    source: `${head}
class Masked:
    def __init__(self, tensors, mask):
        self.mask, self.tensors = mask, tensors

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, x):
        return {2: Masked(self.a(x), x > 0)}
`,
    plan: ["logits = output[2].tensors"],
  },
};

test.each(Object.entries(cases))("%s", async (_name, { source, plan }) => {
  const made = await runFiles({ "model.py": source }, "model.py", "M");
  for (const text of plan) expect(made.plan).toContain(text);
});

const parts = `${head}
class Part(nn.Module):
    def __init__(self, *, depth, table):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(depth))
        self.table = open(table)

class M(nn.Module):
    def __init__(self, dim, **options):
        super().__init__()
        self.words = nn.Linear(dim, dim)
        self.part = Part(table="nowhere", **options)

    def forward(self, x):
        return self.words(x)
`;

test("where no arguments do, the error of those that came furthest is told", async () => {
  await expect(runFiles({ "model.py": parts }, "model.py", "M")).rejects.toThrow("nowhere");
});

const models = `${head}
class M(nn.Module):
    def __init__(self, width, unheard_of=4):
        super().__init__()
        self.a = nn.Linear(width, 8)
        self.rate = unheard_of

    def forward(self, x):
        if self.rate == 4:
            raise RuntimeError("at once")
        self.a(self.a(self.a(x)[..., :1].repeat(1, 1, self.a.in_features)))

def made():
    return M(16, unheard_of=5)
`;

test("nor does any other model: that of the model which came furthest", async () => {
  await expect(runFiles({ "model.py": models }, "model.py", "M")).rejects.toThrow("mat1 and mat2");
});

const named = `${head}
from transformers import PreTrainedModel, T5Config

NAME = "t5-small"

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(T5Config.from_pretrained(NAME, cache_dir="x").d_model, 2)

    def forward(self, x):
        return self.a(x)
`;

test("a config of the Hub is as its class has it, which is told; one of the workspace as it says", async () => {
  const told = "The config of 't5-small' is not here: T5Config() is taken as it stands";
  const absent = await runFiles({ "model.py": named }, "model.py", "M");
  expect(absent.assumptions?.map(({ message }) => message)).toContain(told);
  const width = (report: typeof absent) => report.parameters[0]?.shape;
  expect(width(absent)).toEqual([2, 512]);
  const files = { "model.py": named, "t5-small/config.json": '{"d_model": 24}' };
  const present = await runFiles(files, "model.py", "M");
  expect(width(present)).toEqual([2, 24]);
  expect(present.assumptions ?? []).toEqual([]);
});

test("what packages keep of files and versions before a model is made", async () => {
  const source = `${head}
import importlib.metadata
import os
import torch.utils._pytree as pytree
from dataclasses import dataclass
from huggingface_hub.constants import HF_HOME
from huggingface_hub.utils import RevisionNotFoundError, validate_hf_hub_args

CACHE = os.path.join(HF_HOME, "modules")
for name in ("requests", "filelock", "tqdm", "numpy", "packaging"):
    assert int(importlib.metadata.version(name).split(".")[0]) > 0

@dataclass
class Offload:
    stream: torch.cuda.Stream | torch.Stream | None = None
    mesh: torch.distributed.device_mesh.DeviceMesh | None = None
    kind: torch.dtype = torch.uint4

def load():
    try:
        raise RevisionNotFoundError("none")
    except OSError:
        return pytree._dict_unflatten(*pytree._dict_flatten({"x": 1}))

class M(nn.Module):
    def __init__(self):
        super().__init__()
        assert load() == {"x": 1} and Offload().stream is None
        self.a = nn.Linear(8, 8)

    @torch._disable_dynamo
    def forward(self, x):
        return self.a(x)
`;
  expect((await runFiles({ "model.py": source }, "model.py", "M")).loss).toBeTypeOf("number");
});

test("what a file makes at its top level of a class whose base is missing may never be used", async () => {
  const source = `${head}
from absent import Writer

class Distributed(Writer):
    def log(self):
        pass

writer = Distributed(None)

class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)

    def forward(self, x):
        return self.a(x)
`;
  expect((await runFiles({ "model.py": source }, "model.py", "M")).loss).toBeTypeOf("number");
});
