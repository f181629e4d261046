/** Placements of blocks whose stream is more than a chain of sums. */
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

test.each([
  ["Autoformer", "no norm"],
  ["TimeXer", "Post-LN"],
  ["Rwkv", "Pre-LN"],
  ["TwoWay", "Post-LN"],
  ["Closed", "unknown"],
])("%s: %s", async (entry, placement) => {
  const { blocks } = await runClass("namedBlocks.py", entry);
  expect(blocks.map((block) => block.placement)).toEqual([placement, placement]);
});
