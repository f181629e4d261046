/** DeepNorm's factor: another one than its depth asks for, or in the wrong place. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("deepNorms.py", {
  Root: ["block/deepnorm", "x * self.alpha + self.attn"],
  OtherDepth: ["block/deepnorm", "x * self.alpha + self.attn"],
  Turned: ["block/deepnorm", "x + self.alpha * self.attn(x)"],
});

test("branches that are scaled down are no DeepNorm", async () => {
  const { findings } = await runClass("deepNorms.py", "Scaled");
  expect(findings.map(({ code }) => code)).not.toContain("block/deepnorm");
});
