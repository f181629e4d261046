/** Axes, tables, masks and slots that meet what they are not meant for. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

const file = "joints.py";

checkFaults(file, {
  TokenOnSamples: ["model/token-axis", "-1, x.shape[1], -1), x], 0)"],
  TokenOfOneBatch: ["model/sample-parameter", "self.cls.expand(len(idx)"],
  PositionsOfTokens: ["model/same-rows", "self.pos("],
  MaskOnHeads: ["attention/mask-heads", "masked_fill(~keep"],
  SameColumns: ["parameters/unread-part", "self.q(x)"],
  EvenCosines: ["attention/cosine-scale", ".softmax(-1) @ v"],
  FarWindow: ["attention/hides-near", "near if self.right else near"],
  AddedAgain: ["block/stream-twice", "x + self.n"],
  CopiesInput: ["loss/unshifted", "F.cross_entropy("],
  MaskedInPlace: ["loss/one-class", "F.cross_entropy("],
  OwnMemory: ["attention/open-memory", "self.layer(x, x"],
  Latents: ["init/constant", "self.slots ="],
  PaddingRow: ["init/padding-row", "self.tok = nn.Embedding"],
  FlagOfModule: ["parameters/stray-flag", "self.tok.requires_grad = False"],
});

test("a vector in between is no copy", async () => {
  const { findings } = await runClass(file, "Bottleneck");
  expect(findings).toEqual([]);
});

test("slots that a table tells apart may start alike", async () => {
  const { findings } = await runClass(file, "Latents", { apart: "True" });
  expect(findings).toEqual([]);
});

test("a flag that is misspelled", async () => {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const [right, wrong] = ["self.tok.requires_grad_(False)", "self.tok.weight.require_grad = False"];
  const source = text.replace(right, wrong);
  const { findings } = await runClass(file, "FlagOfModule", { right: "True" }, source);
  expect(findings.map(({ code }) => code)).toEqual(["parameters/stray-flag"]);
  expect(source.split("\n")[(findings[0]?.line ?? 0) - 1]).toContain(wrong);
});
