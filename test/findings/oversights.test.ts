/** Where dropout, norms, positions and masks stand. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("oversights.py", {
  OfScoresDropped: ["attention/dropped-scores", "self.drop(scores).softmax(-1)"],
  OfScoresDroppedFirst: ["attention/dropped-scores", "else self.drop(scores)"],
  OfHalfOfWidth: ["attention/scale", "scores / d ** 1 / 2"],
  OfStreamDropped: ["block/dropped-stream", "self.drop(x + self.ff(self.n2(x)))"],
  OfNormDropped: ["block/dropped-stream", "self.drop(self.n2(x + self.ff(x)))"],
  OfOneForBoth: ["norm/shared", "self.ff(second(x))"],
  OneForAll: ["norm/shared", "self.drop(self.attn(self.n1(x)))"],
  FirstPosition: ["model/first-position", "x[:, 0]"],
  TokenInFront: ["model/first-position", "x[:, 0]"],
  MemoryHidden: ["attention/causal-memory", "scores.softmax(-1)"],
  LatePositions: ["model/positions-late", "x + self.pos("],
  OfCountedInHalf: ["attention/rotary", "return x * cos"],
});

test.each(["OfBranchesDropped", "OfSideBySide", "OneLayer", "OpenFirst", "LeftPadded"])(
  "%s is no mistake",
  async (entry) => {
    const { findings } = await runClass("oversights.py", entry);
    expect(findings.filter(({ code }) => code !== "parameters/unused")).toEqual([]);
  },
);

test("a causal mask tells places apart", async () => {
  const { findings } = await runClass("oversights.py", "OrderedByMask");
  expect(findings.map(({ code }) => code)).not.toContain("model/positions-late");
});

test("in training, a stream that dropout takes is seen at each place", async () => {
  const { findings } = await runClass("oversights.py", "OfStreamDropped", {}, null, "train");
  expect(findings.map(({ code }) => code)).toContain("block/dropped-stream");
});
