import { expect, test } from "vitest";
import { pythonOutline, runnableClass } from "./pythonOutline.ts";

const source = `"""A decoder with the norm before each branch. And more.

Second paragraph.
"""
import torch


class Block(nn.Module):
    """Two branches."""

    def __init__(self, d: int, attn: nn.Module, norm_cls=nn.LayerNorm):
        super().__init__()


class Decoder(nn.Module):
    def __init__(
        self,
        vocab_size: int = 256,  # bytes
        norm: Literal["LayerNorm", "RMSNorm"] = "LayerNorm",
        *,
        betas=(0.9, 0.95),
    ):
        pass


class Config:
    x: int = 1
`;

test("reads docstrings, classes and the defaults of their constructors", () => {
  expect(pythonOutline(source)).toEqual({
    summary: "A decoder with the norm before each branch.",
    classes: [
      {
        name: "Block",
        line: 8,
        summary: "Two branches.",
        parameters: [
          { name: "d", value: null },
          { name: "attn", value: null },
          { name: "norm_cls", value: "nn.LayerNorm" },
        ],
      },
      {
        name: "Decoder",
        line: 15,
        summary: "",
        parameters: [
          { name: "vocab_size", value: "256" },
          { name: "norm", value: '"LayerNorm"' },
          { name: "betas", value: "(0.9, 0.95)" },
        ],
      },
      { name: "Config", line: 26, summary: "", parameters: [] },
    ],
  });
});

test("the class to run is the last that needs no argument", () => {
  expect(runnableClass(pythonOutline(source))?.name).toBe("Decoder");
  expect(runnableClass(pythonOutline("x = 1\n"))).toBeNull();
});
