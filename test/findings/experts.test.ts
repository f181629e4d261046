/** Mistakes of routers and their experts. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("experts.py", {
  OfOneOfItself: ["experts/constant-gate", "gates / gates.sum(-1"],
  OfSoftmaxOfOne: ["experts/constant-gate", "return top.softmax(-1)"],
  OfDetached: ["parameters/gradient-cut", "logits.detach()"],
  OfUnscaled: ["experts/gate-sum", "logits.softmax(-1).topk"],
  OfEven: ["experts/even-router", "logits.softmax(-1).topk"],
});

test("a shared expert beside gates that sum to less than one", async () => {
  expect((await runClass("experts.py", "OfShared")).findings).toEqual([]);
});
