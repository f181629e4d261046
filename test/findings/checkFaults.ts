/** Runs each class of a script with its mistake and without it. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

/** The code, and a piece of the line that it stands on; null: some other line. */
export type Faults = Readonly<Record<string, readonly [string, string | null]>>;

export function checkFaults(file: string, faults: Faults): void {
  const text = readFileSync(new URL(file, import.meta.url), "utf8").split("\n");
  const entries = Object.keys(faults);
  afterAll(endRuns);

  test.each(Object.entries(faults))("%s", async (entry, [code, piece]) => {
    const { findings } = await runClass(file, entry);
    const found = findings.find((finding) => finding.code === code);
    expect(findings.map((finding) => finding.code)).toContain(code);
    if (piece !== null) expect(text[(found?.line ?? 0) - 1]).toContain(piece);
    expect(Object.keys(found?.evidence ?? {}).length).toBeGreaterThan(0);
  });

  test.each(entries)("%s without its mistake", async (entry) => {
    const { findings } = await runClass(file, entry, { right: "True" });
    expect(findings).toEqual([]);
  });
}
