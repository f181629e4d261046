/** Mistakes between queries, keys and values. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("attending.py", {
  OfTwiceSoft: ["attention/softmax-twice", "F.softmax(weights, dim=-1)"],
  OfRelu: ["attention/no-softmax", "F.relu(scores)"],
  OfSigmoid: ["attention/no-softmax", "torch.sigmoid(scores)"],
  OfTurnedTwice: ["attention/rotary", "return x * cos"],
  OfComplexTwice: ["attention/rotary", "torch.view_as_real(z * table"],
  OfRates: ["attention/rotary", "k * cos + k2 * sin"],
  OfOneRate: ["attention/rotary", "k * cos + k2 * sin"],
  OfNormOverPositions: ["attention/norm-axis", "F.normalize(q, dim=dim)"],
  OfNormOverHeads: ["attention/norm-axis", "q.pow(2).mean(dim"],
  OfTurnedInCache: ["attention/rotary", "return x * cos"],
  Translation: ["attention/causal-encoder", "src_mask=None if self.right"],
  OfNextSlot: ["attention/empty-keys", "scores.softmax(-1) @ values"],
  OfOpenSlots: ["attention/empty-keys", "scores.softmax(-1) @ values"],
  OfOpenChunk: ["attention/sees-future", "F.scaled_dot_product_attention"],
});

test.each(["Convolved", "TurnedWeights", "WholeNormGroups", "Slotted"])(
  "%s is no mistake",
  async (entry) => {
    expect((await runClass("attending.py", entry)).findings).toEqual([]);
  },
);

test("one norm of all heads is another design", async () => {
  expect((await runClass("attending.py", "OfWholeNorm")).findings).toEqual([]);
});
