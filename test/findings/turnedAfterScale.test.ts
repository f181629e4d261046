/** A scale that lies before a rotation counts, and what a finite mask hides is no part of the scores' spread. */
import { expect, test } from "vitest";
import { runClass } from "./runClass.ts";

async function scales(entry: string) {
  const { findings } = await runClass("turnedAfterScale.py", entry);
  return findings.filter(({ code }) => code === "attention/scale");
}

test("a scale before the rotation", async () => {
  expect(await scales("Turned")).toEqual([]);
});

test("none, behind a mask of the least number there is", async () => {
  const found = await scales("Bare");
  expect(found.map(({ line }) => line)).toContain(36);
  for (const { evidence } of found) expect(evidence["score std"]).toBeLessThan(1e3);
});
