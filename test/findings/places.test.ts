/** Mistakes of positions, masks and scores. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("places.py", {
  Capped: ["attention/softcap", "torch.tanh(scores / 20.0)"],
  CappedInPlace: ["attention/softcap", "(scores / 50).tanh()"],
  Zeros: ["init/positions", "self.pos(places)"],
  FirstRow: ["init/positions", "self.pos[:, : idx.shape[1]"],
  FirstOfWeight: ["init/positions", "x + self.pos.weight["],
  FarFirst: ["attention/distance-bias", "* ahead"],
  FarFirstInMask: ["attention/distance-bias", "(scores + bias.masked_fill"],
  OneSlope: ["attention/distance-bias", "(at - at[:, None])"],
  Strict: ["attention/hides-self", "masked_fill(future, -1e9)"],
  StrictAdded: ["attention/hides-self", "F.softmax(scores + (1 - keep)"],
  Steps: ["attention/rotary", "return x * cos"],
});

test("a row of another table for all positions is meant", async () => {
  expect((await runClass("places.py", "Task")).findings).toEqual([]);
});
