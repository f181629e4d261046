/** Each mistake is found on its line, with its numbers; without it nothing is said. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

const file = "faults.py";
const text = readFileSync(new URL(file, import.meta.url), "utf8").split("\n");

/** The code, and a piece of the line that it stands on; null: some other line. */
const faults: Readonly<Record<string, readonly [string, string | null]>> = {
  ViewedHeads: ["attention/mixed-axes", "t.reshape(B, self.heads, T, -1)"],
  JoinedHeads: ["attention/mixed-axes", "y.reshape(B, T, D)"],
  ModelWidth: ["attention/scale", "softmax("],
  Product: ["attention/scale", "softmax("],
  Unscaled: ["attention/scale", "softmax("],
  ScaledTwice: ["attention/scale", "F.scaled_dot_product_attention"],
  OffByOne: ["attention/sees-future", "softmax("],
  MaskAfter: ["attention/row-sums", "softmax(-1).masked_fill"],
  OverHeads: ["attention/softmax-axis", "softmax("],
  OpenStack: ["norm/no-final", "self.head(self.close(x))"],
  SkipNormed: ["norm/skip-path", "x = self.n1(x)"],
  TwoNorms: ["norm/twice", "self.b(self.a(x))"],
  LargeEps: ["norm/eps-large", "self.n"],
  NoSkip: ["block/no-residual", "class Straight(Block)"],
  BatchSecond: ["block/mixes-samples", "x + self.attn(self.n1(x))"],
  NormOverPositions: ["block/reads-future", "x + self.attn(self.n1(x))"],
  NameMissed: ["init/missed", 'name == "down.weight"'],
  Copied: ["init/identical-layers", "copy.deepcopy(block)"],
  LoudHead: ["init/loss", "self.head(self.close(x))"],
  Unregistered: ["parameters/unregistered", "x = x + layer(x)"],
  Unused: ["parameters/unused", "self.extra = nn.Linear"],
  Detached: ["parameters/no-gradient", null],
  Untied: ["parameters/tie-broken", null],
  Dead: ["units/dead", "self.act(self.up"],
  Probabilities: ["loss/double-softmax", "torch.softmax(logits"],
  Loud: ["attention/saturated", "softmax("],
  Copying: ["loss/unshifted", "F.cross_entropy(logits.reshape(-1, 31), idx.reshape(-1))"],
  Shrinking: ["depth/vanishing", null],
};

test.each(Object.entries(faults))("%s", async (entry, [code, piece]) => {
  const { findings } = await runClass(file, entry);
  const found = findings.find((finding) => finding.code === code);
  expect(findings.map((finding) => finding.code)).toContain(code);
  if (piece !== null) expect(text[(found?.line ?? 0) - 1]).toContain(piece);
  expect(Object.keys(found?.evidence ?? {}).length).toBeGreaterThan(0);
});

test.each(Object.keys(faults))("%s without its mistake", async (entry) => {
  const { findings } = await runClass(file, entry, { right: "True" });
  expect(findings).toEqual([]);
});
