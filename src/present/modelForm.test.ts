import { expect, test } from "vitest";
import { formFields, isRunnable } from "./modelForm.ts";
import { pythonOutline } from "./pythonOutline.ts";

const outline = pythonOutline(`
@dataclass
class Config:
    """Sizes."""
    n_layers: int = 12
    norm: Literal["pre", "post"] = "pre"  # where
    d_ff: int = field(default=512)

    def wide(self):
        width: int = 3


class Attention(nn.Module):
    def __init__(self, d: int, bias: bool = True): ...


class Block(nn.Module):
    def __init__(self, d: int, attn: nn.Module): ...


class Other(nn.Module):
    def __init__(self, attn: Attention): ...


class Net(nn.Module):
    def __init__(self, config: Config, tied: bool = False): ...
`);
const model = (name: string) => {
  const found = outline.classes.find((it) => it.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

test("a config's fields stand in its place, with their choices", () => {
  expect(formFields(outline, model("Net"))).toEqual([
    { name: "n_layers", annotation: "int", default: "12", choices: [] },
    {
      name: "norm",
      annotation: 'Literal["pre", "post"]',
      default: '"pre"',
      choices: ['"pre"', '"post"'],
    },
    { name: "d_ff", annotation: "int", default: "512", choices: [] },
    { name: "tied", annotation: "bool", default: "False", choices: ["True", "False"] },
  ]);
});

test("what takes another module cannot be made on its own", () => {
  const runnable = outline.classes.filter((it) => isRunnable(outline, it));
  expect(runnable.map(({ name }) => name)).toEqual(["Config", "Attention", "Net"]);
});
