/** A script that runs one class: for what cannot be made without being told of what. */
import type { ClassOutline } from "./pythonOutline.ts";

/** `module` is the name under which the class is imported: "pre_ln". */
export function scriptFor(module: string, { name, parameters }: ClassOutline): string {
  const needed = parameters
    .filter(({ value }) => value === null)
    .map(
      (it) => `        ${it.name}=...,${it.annotation === null ? "" : `  # ${it.annotation}`}\n`,
    );
  const call = needed.length === 0 ? `${name}()` : `${name}(\n${needed.join("")}    )`;
  return `import torch

from ${module} import ${name}


def build():
    return ${call}


def step(model):
    x = torch.randn(4, 32, 64)  # [batch, positions, features]
    return model(x).pow(2).mean()
`;
}
