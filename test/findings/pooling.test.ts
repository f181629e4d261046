/** Mistakes in what is taken together: places of a sample, losses of a batch, an image's axes. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

const text = readFileSync(new URL("./pooling.py", import.meta.url), "utf8");
const lines = text.split("\n");
afterAll(endRuns);

/** What is found where `build` makes this, with the text of each line. */
async function findingsOf(model: string): Promise<string[]> {
  const source = `${text}\n\ndef build():\n    return ${model}\n`;
  const { findings } = await runClass("pooling.py", null, {}, source);
  return findings.map(({ code, line }) => `${code}: ${lines[(line ?? 0) - 1]?.trim()}`);
}

test.each([
  ["Classifier", "model/pools-padding: return x.mean(dim=1)"],
  ["Last", "model/pools-padding: return x[torch.arange(len(x)), at] if self.right else x[:, at]"],
  ["Largest", "model/pools-padding: return (x.masked_fill(~keep[:, :, None]"],
  ["Tagger", "loss/masked-mean: return (losses * keep).sum() / keep.sum()"],
  ["Image", "norm/image-axis: x = self.norm(x.permute(0, 2, 3, 1))"],
])("%s", async (model, expected) => {
  const found = await findingsOf(`${model}()`);
  expect(found.map((one) => one.slice(0, expected.length))).toContain(expected);
  expect(await findingsOf(`${model}(right=True)`)).toEqual([]);
});

test.each(["First", "Weighed"])("%s is no mistake", async (model) => {
  expect(await findingsOf(`${model}()`)).toEqual([]);
});
