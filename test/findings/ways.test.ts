/** Ways that lead nowhere, and ways from later positions to earlier ones. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("ways.py", {
  ReadsAhead: ["block/reads-future", "self.mix(F.pad("],
  NormAhead: ["block/reads-future", "self.group(x.transpose"],
  SumsAhead: ["model/reads-future", "q.unsqueeze(-2) @ products"],
  SumForgotten: ["parameters/no-gradient", "        x + self.places(idx)"],
  MadeAnew: ["parameters/no-gradient", "(2 * x).tolist()"],
  LossOfNumbers: ["parameters/no-gradient", "loss.item()"],
});

test.each(["ClassRows", "Ends", "Features", "RunAgain", "PostNorm", "Tempered"])(
  "nothing is found in %s",
  async (entry) => {
    expect((await runClass("ways.py", entry)).findings).toEqual([]);
  },
);

test("what no layer of a stack uses is told once", async () => {
  const { findings } = await runClass("ways.py", "Spared");
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    [
      "parameters/unused",
      "layers.0.gate and 2 others like it have 6 parameters that this step never used",
    ],
  ]);
});
