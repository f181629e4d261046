/** Inputs from files of tokens, in the engine as it is built. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startEngine } from "../../src/client/engineClient.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const engine = startEngine({
  enginePath: fileURLToPath(new URL("../../dist/engine.mjs", import.meta.url)),
});
afterAll(() => engine.dispose());

const request: RunRequest = {
  root: fixtures,
  file: "reader.py",
  entry: "Reader",
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  device: "cpu",
};

const runOn = (file: string, tokenizer: string | null = null, more: Partial<RunRequest> = {}) =>
  engine.run({
    ...request,
    tokens: { file: join(fixtures, file), tokenizer: tokenizer && join(fixtures, tokenizer) },
    ...more,
  });

const { losses } = JSON.parse(readFileSync(join(fixtures, "expected.json"), "utf8")) as {
  readonly losses: { readonly bytes: number; readonly tokenizer: number };
};

test.each([
  ["text.txt", null, losses.bytes, "bytes"],
  ["text.bin", null, losses.bytes, "ids"],
  ["text.npy", null, losses.bytes, "ids"],
  ["text.txt", "split.json", losses.tokenizer, "tokens"],
])("windows of %s by %s are those that PyTorch's randint picks", async (file, by, loss, unit) => {
  const report = await runOn(file, by);
  expect(Number(report.loss)).toBeCloseTo(loss, 4);
  expect(report.inputs.map(({ rule }) => rule)).toEqual([
    `4 windows of 32 ${unit} of ${file}, picked by the seed`,
    "as idx, one token later",
  ]);
  expect(report.plan).toContain("targets = torch.stack([data[i + 1 : i + 33] for i in starts])");
});

test("another seed picks other windows, and the shape may be said", async () => {
  const inputs = [{ name: "idx", dtype: "int64", shape: [2, 5], below: null }];
  const [first, second] = [
    await runOn("text.txt", null, { inputs, seed: 1 }),
    await runOn("text.txt", null, { inputs, seed: 2 }),
  ];
  expect(first.inputs[0]?.shape).toEqual([2, 5]);
  expect(first.loss).not.toBe(second.loss);
});

test("an id that the model has no row for is named", async () => {
  await expect(runOn("text.txt", null, { set: { vocab: "64" } })).rejects.toMatchObject({
    code: "data/token-range",
    place: null,
    message: expect.stringMatching(
      /have the id \d+ at position \d+; the model takes ids from 0 to 63$/,
    ),
  });
});

test("a file with too few tokens, no file, and a model without tokens", async () => {
  const folder = mkdtempSync(join(tmpdir(), "normscope-tokens-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const short = { file: join(folder, "short.txt"), tokenizer: null };
  writeFileSync(short.file, "abc");
  const odd = { file: join(folder, "odd.bin"), tokenizer: null };
  writeFileSync(odd.file, "abc");
  const cases = [
    [{ tokens: short }, "data/too-short"],
    [{ tokens: odd }, "data/unreadable"],
    [{ tokens: { file: join(folder, "none.txt"), tokenizer: null } }, "data/unreadable"],
    [{ tokens: { file: short.file, tokenizer: short.file } }, "data/unreadable"],
    [{ tokens: short, entry: "Features" }, "data/no-input"],
  ] as const;
  for (const [more, code] of cases)
    await expect(engine.run({ ...request, ...more })).rejects.toMatchObject({ code });
});
