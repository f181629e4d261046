/** Norms of channels, and stages of blocks. */
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const engine = startEngine({ enginePath: pathOf("../../dist/engine.mjs") });
afterAll(() => engine.dispose());

const image = { name: "x", dtype: "float32", shape: [2, 8, 8, 8], below: null };

const run = (place: string, norm: string, mode: "train" | "eval") =>
  engine.run({
    ...{ root: pathOf("."), file: "pyramid.py", entry: "Stages", inputs: [image] },
    ...{ set: { place: `'${place}'`, norm: `'${norm}'` }, mode },
    ...{ loss: null, seed: 0, packages: null, device: "cpu" },
  });

const blocksOf = async (place: string, norm: string, mode: "train" | "eval") => {
  const { blocks } = await run(place, norm, mode);
  return blocks.map((block) => [block.path, block.placement, block.norms?.join()].join(" "));
};

const paths = ["stages.0.0", "stages.0.1", "stages.1.0", "stages.1.1"];

test.each([
  ["pre", "Pre-LN"],
  ["post", "Post-LN"],
  ["within", "norm within the branch"],
])("%s", async (place, placement) => {
  for (const [norm, name] of [
    ["batch", "BatchNorm"],
    ["group", "GroupNorm"],
    ["instance", "InstanceNorm"],
    ["channels", "LayerNorm"],
  ] as const)
    expect(await blocksOf(place, norm, "eval")).toEqual(
      paths.map((path) => `${path} ${placement} ${name}`),
    );
});

test("by the batch's moments too", async () => {
  const [first] = await blocksOf("post", "batch", "train");
  expect(first).toBe("stages.0.0 Post-LN BatchNorm");
});

test("only the last stage lacks a closing norm, and only where norms are of rows", async () => {
  const missed = async (norm: string) =>
    (await run("pre", norm, "eval")).findings.filter(({ code }) => code === "norm/no-final").length;
  expect([await missed("channels"), await missed("batch")]).toEqual([1, 0]);
});

test("blocks that are no modules beside those that are", async () => {
  const { blocks, findings } = await engine.run({
    ...{ root: pathOf("."), file: "pyramid.py", entry: "Mixed", inputs: [image], set: {} },
    ...{ loss: null, seed: 0, mode: null, packages: null, device: "cpu" },
  });
  expect(blocks.map(({ path, placement }) => `${path} ${placement}`)).toEqual([
    "convs.0 Pre-LN",
    "turns.0.encoder.layers.0 Pre-LN",
    "turns.0.encoder.layers.1 Pre-LN",
    "convs.1 Pre-LN",
    "turns.1.encoder.layers.0 Pre-LN",
  ]);
  expect(findings.filter(({ code }) => code === "block/no-residual")).toEqual([]);
});
