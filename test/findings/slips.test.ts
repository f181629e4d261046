/** Slips that leave a model running. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("slips.py", {
  ViewOfBatch: ["model/mixes-samples", "x.view(length, batch, dim)"],
  SlowSines: ["init/positions", "self.tok(idx) + self.pos[: idx.shape[1]]"],
  ActiveBranches: ["block/positive-branch", "F.relu(y)"],
  WholeNorms: ["norm/axis", "self.attn(self.n1(x))"],
  HeadMadeLate: ["init/missed", "self.apply(self.initialise)"],
  OpenDecoder: ["model/reads-future", "self.model(self.embed(source)"],
  CutInside: ["model/reads-future", "scores.softmax(-1)"],
  DeepInEval: ["model/dropout-in-eval", "torch.floor(keep + torch.rand("],
  RolledTargets: ["loss/shift", "F.cross_entropy(logits.flatten(0, 1), targets"],
  DrawnPositions: ["parameters/plain-tensor", "self.pos = 0.02 * table"],
  ScaledPositions: ["parameters/unregistered", "nn.Parameter(torch.randn(1, 80, DIM)) * 0.02"],
  AllPairs: ["attention/softmax-axis", "scores.flatten(2).softmax(-1)"],
  ValuesOfStream: ["attention/values-elsewhere", "scores.softmax(-1)"],
});

test.each(["PaddedFront", "ExampleKept"])("%s is no mistake", async (entry) => {
  expect((await runClass("slips.py", entry)).findings).toEqual([]);
});
