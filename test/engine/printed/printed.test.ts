/** What a model's file prints, from the engine as it is built. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../../src/client/engineClient.ts";
import { NormscopeError } from "../../../src/errors.ts";
import type { RunRequest } from "../../../src/protocol/engine.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const engine = startEngine({ enginePath: at("../../../dist/engine.mjs") });
const root = mkdtempSync(join(tmpdir(), "normscope-printed-"));
afterAll(async () => {
  await engine.dispose();
  rmSync(root, { recursive: true });
});

const run = (file: string, entry: string | null = null) => {
  const request: RunRequest = {
    ...{ root, file, entry, device: "cpu", packages: null },
    ...{ set: {}, inputs: [], loss: null, seed: 0, mode: null },
  };
  return engine.run(request);
};

test("prints are PyTorch's, each with its line, and looking so decides nothing", async () => {
  cpSync(at("printing.py"), join(root, "printing.py"));
  const { printed = [], branches } = await run("printing.py");
  const text = printed.map((row) => (row.stream === "stdout" ? row.text : "")).join("");
  expect(text).toBe(readFileSync(at("../../golden/printed.txt"), "utf8"));
  const inLoop = printed.filter(({ text }) => /^\d tensor/.test(text));
  expect(inLoop.map(({ line }) => line)).toEqual([23, 23]);
  expect(printed.at(-1)).toMatchObject({ line: 44, text: expect.stringContaining("gradient (2") });
  // An error that the code catches is shown where the code asks for it, and nowhere else.
  const toStderr = printed.filter(({ stream }) => stream === "stderr");
  expect(toStderr.map(({ line, text }) => `${line} ${text}`).join("")).toBe(
    "26 to stderr\n42 RuntimeError: shape '[3, 7]' is invalid for input of size 88\n",
  );
  // `f"{loss.item()}"` takes the number itself; the others are only texts.
  expect(branches.map(({ line }) => line)).toEqual([37]);
});

const tried = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.first = nn.Linear(dim, dim)

    def forward(self, image):
        print("shape", tuple(image.shape))
        y = self.first(image.flatten(2).transpose(1, 2))
        print("after")
        return y
`;

test("of inputs that were tried only those that did have printed", async () => {
  writeFileSync(join(root, "tried.py"), tried);
  const { printed = [], inputs } = await run("tried.py", "Net");
  expect(printed.map(({ text }) => text)).toEqual([
    `shape (${inputs[0]?.shape.join(", ")})\n`,
    "after\n",
  ]);
});

test("an error comes with what was printed before it", async () => {
  writeFileSync(join(root, "failing.py"), `${tried.replace("(image.flatten(2)", "(nothing")}`);
  const error = await run("failing.py", "Net").catch((it: unknown) => it);
  expect(error).toBeInstanceOf(NormscopeError);
  const { printed, place } = error as NormscopeError;
  expect(place).toMatchObject({ file: "failing.py", line: 11 });
  expect(printed).toMatchObject([{ file: "failing.py", line: 10 }]);
});
