/** What a project's README shows of a class, where neither the file nor made-up arguments make it run. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const readme = `# Diffusion

\`\`\`bash
$ pip install diffusion
\`\`\`

\`\`\`python
import torch
from diffusion import Wrapper
from net import Net

net = Net(width = 6, ...)
wrapper = Wrapper(net, size = 5
\`\`\`

\`\`\`python
import torch
from diffusion import Wrapper
from net import Net

net = Net(width = 6)

wrapper = Wrapper(
    net,
    size = 5,    # of each sample
)

x = torch.randn(2, 5, 6)
loss = wrapper(x)
loss.backward()
\`\`\`
`;

const net = `import torch

class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = self.depth = width
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x, steps):
        return self.linear(x) + steps[:, None, None]
`;

const diffusion = `import torch
from net import Net

class Wrapper(torch.nn.Module):
    def __init__(self, backend, size):
        super().__init__()
        assert type(backend) is Net and backend.width == backend.depth
        self.backend = backend
        self.size = size

    def forward(self, x):
        if x.shape[1:] != (self.size, self.backend.width):
            raise ValueError("samples of another size")
        steps = torch.randint(0, 10, (len(x),))
        return (self.backend(x, steps) - x).pow(2).mean()
`;

test("a class is made and called as the README shows", async () => {
  const files = { "diffusion.py": diffusion, "net.py": net, "README.md": readme };
  const { assumptions, inputs, loss, plan } = await runFiles(files, "diffusion.py", "Wrapper");
  expect(loss).toBeGreaterThan(0);
  expect(plan).toContain("    net = Net(width=6)\n    return Wrapper(net, size=5)");
  expect(plan).toContain("    output = wrapper(x)");
  expect(inputs?.[0]).toMatchObject({ name: "x", rule: "as README.md shows it" });
  expect(assumptions?.map(({ message }) => message)).toEqual([
    "'Wrapper' is made as README.md shows",
  ]);
});

const called = `import torch

class Guided(torch.nn.Module):
    def __init__(self, model, size=4):
        super().__init__()
        self.model = model
        self.scale = getattr(model, "channels", 1) * getattr(model, "out_dim", 1)
        if hasattr(model, "missing"):
            self.extra = model.channels + model.out_dim

    def forward(self, x):
        return self.model(x) * self.scale
`;

test("what is kept and called is a module, also where its fields are read", async () => {
  const { plan } = await runFiles({ "guided.py": called }, "guided.py", "Guided");
  expect(plan).toContain("Guided(model=nn.Identity())");
});
