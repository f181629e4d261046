/** Blocks that are run past the hooks of their modules. */
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

test("blocks whose forward is called by its name, in front of two heads", async () => {
  const { blocks, findings } = await runClass("passedBy.py", "TwoHeads", {}, null);
  expect(blocks.map(({ path, placement }) => `${path} ${placement}`)).toEqual([
    "blocks.0 Post-LN",
    "blocks.1 Post-LN",
  ]);
  expect(findings).toEqual([]);
});
