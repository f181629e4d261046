/** What is told of a model's structure, whatever way it is written in. */
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

const file = "placements.py";

/** Placement, norm and whether a norm closes the stack. */
const models: Readonly<Record<string, readonly [string, string, boolean | null]>> = {
  Pre: ["Pre-LN", "LayerNorm", true],
  PreOpen: ["Pre-LN", "LayerNorm", false],
  PreRms: ["Pre-LN", "RMSNorm", true],
  PreStd: ["Pre-LN", "LayerNorm", true],
  Post: ["Post-LN", "LayerNorm", true],
  PostRms: ["Post-LN", "RMSNorm", true],
  Both: ["Pre-LN and Post-LN", "LayerNorm", true],
  Peri: ["Peri-LN", "RMSNorm", true],
  ResPost: ["Res-Post-LN", "LayerNorm", true],
  Bare: ["no norm", "", false],
  Skip: ["norm on the skip path", "LayerNorm", true],
  Parallel: ["Pre-LN", "LayerNorm", true],
  Neox: ["Pre-LN", "LayerNorm", true],
  Nested: ["Pre-LN", "LayerNorm", true],
  Functional: ["Pre-LN", "LayerNorm", true],
  ReZero: ["no norm", "", false],
  LayerScale: ["Pre-LN", "LayerNorm", true],
  Checkpointed: ["Pre-LN", "LayerNorm", true],
  Moe: ["Pre-LN", "LayerNorm", true],
  Mixed: ["mixed", "LayerNorm", true],
  SequentialDecoder: ["Pre-LN", "LayerNorm", true],
  LooseDecoder: ["Pre-LN", "LayerNorm", true],
  LoosePost: ["Post-LN", "LayerNorm", true],
  UncalledDecoder: ["Pre-LN", "LayerNorm", true],
};

test.each(Object.entries(models))("%s", async (entry, [placement, norm, isClosed]) => {
  const { blocks } = await runClass(file, entry);
  expect(blocks.map((block) => block.placement)).toEqual([placement, placement, placement]);
  expect(blocks.map(({ norms }) => norms?.join())).toEqual([norm, norm, norm]);
  expect(blocks.at(-1)?.end?.normed).toBe(isClosed);
  expect(blocks.map(({ parallel }) => parallel)).toEqual(
    blocks.map(() => entry === "Parallel" || entry === "Neox"),
  );
});

test("each stack of an encoder-decoder is told of by itself", async () => {
  const { blocks } = await runClass(file, "EncoderDecoder");
  expect(blocks.map(({ path, placement, end }) => [path, placement, end?.normed])).toEqual([
    ["encoder.0", "Pre-LN", undefined],
    ["encoder.1", "Pre-LN", true],
    ["decoder.0", "Pre-LN", undefined],
    ["decoder.1", "Pre-LN", true],
  ]);
});

test.each(["Convolved", "Activated"])(
  "%s: what follows on the sum does not hide it",
  async (entry) => {
    const { blocks } = await runClass(file, entry);
    expect(blocks.map(({ path, placement }) => [path, placement])).toEqual(
      [0, 1, 2].map((i) => [`body.${i}`, "Res-Post-LN"]),
    );
  },
);

test("a model without norms and residual paths has no blocks and no norms", async () => {
  const { blocks, norms, attention } = await runClass(file, "Convnet");
  expect([blocks, norms, attention]).toEqual([[], [], []]);
});

test("norms that are written out are found with their eps, inside or outside of the root", async () => {
  const of = async (entry: string) => {
    const { norms } = await runClass(file, entry);
    return norms.map(({ kind, eps, epsPlace }) => `${kind} ${eps} ${epsPlace}`);
  };
  expect(new Set(await of("Pre"))).toEqual(new Set(["LayerNorm 0.00001 inside"]));
  expect(new Set(await of("PreRms"))).toEqual(new Set(["RMSNorm 0.000001 inside"]));
  expect(new Set(await of("PreStd"))).toEqual(new Set(["LayerNorm 0.000001 outside"]));
});

test("attention that is written out is found with its scale and the keys that it sees", async () => {
  const { attention } = await runClass(file, "Pre");
  expect(attention).toHaveLength(3);
  for (const { softmaxOver, scale, headWidth, sees, heads } of attention) {
    expect(heads).toHaveLength(2);
    expect([softmaxOver, headWidth]).toEqual(["keys", 8]);
    expect(scale).toBeCloseTo(1 / Math.sqrt(8), 6);
    expect(sees).toMatchObject({ past: true, self: true, future: true, hidesFuture: false });
  }
});
