/** Scripts that classes become are whole: run anew, they give the numbers that they are told with. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const examples = `import torch as th
from torch import nn

class M(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(width, width)

    def forward(self, x):
        return self.a(x)

def main():
    th.manual_seed(3)
    model = M(width=6)
    th.set_num_threads(1)
    x = th.ones(2, 6)
    print(model(x))

if __name__ == "__main__":
    main()
`;

const settings = `import torch
from torch import nn

class M(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.hidden_size, bias=config.get("use_bias", True))
        self.scale = config.get("scale", None) or 2.0

    def forward(self, x):
        return self.a(x) * self.scale
`;

test.each([
  ["a module that only calls of the example name is imported", examples, "th"],
  ["settings that are asked as a dict are too", settings, '"get": lambda'],
])("%s", async (_name, source, text) => {
  const first = await runFiles({ "model.py": source }, "model.py", "M");
  expect(first.plan).toContain(text);
  const files = { "model.py": source, "script.py": first.plan ?? "" };
  const anew = await runFiles(files, "script.py", null);
  expect(anew.loss).toBe(first.loss);
});
