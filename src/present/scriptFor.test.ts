import { expect, test } from "vitest";
import { pythonOutline } from "./pythonOutline.ts";
import { scriptFor } from "./scriptFor.ts";

test("asks for each argument that has no default", () => {
  const outline = pythonOutline(
    "class Block(nn.Module):\n    def __init__(self, d: int, attn, eps=1e-5): ...\n",
  );
  const [block] = outline.classes;
  if (block === undefined) throw new Error("no class");
  expect(scriptFor("pre_ln", block)).toMatchInlineSnapshot(`
    "import torch

    from pre_ln import Block


    def build():
        return Block(
            d=...,  # int
            attn=...,
        )


    def step(model):
        x = torch.randn(4, 32, 64)  # [batch, positions, features]
        return model(x).pow(2).mean()
    "
  `);
});
