/** Models that look like mistakes and mean what they do: nothing is found in them. */
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

const entries = [
  ...["Points", "Patches", "PositionsFirst", "Experts", "Opening", "Mobile", "Checkpointed"],
];

test.each(entries)("%s", async (entry) => {
  const { findings } = await runClass("meant.py", entry);
  expect(findings.filter(({ code }) => !code.startsWith("trace/"))).toEqual([]);
});
