/** Gates that multiply twice, and experts that have no room for their tokens. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("gates.py", {
  DroppedRows: ["experts/dropped-tokens", "out = out.index_add(0, rows"],
  DroppedSlots: ["experts/dropped-tokens", 'torch.einsum("nec,ecd->nd", combine, made)'],
  GatesOfExperts: ["block/gate-twice", "weight * y"],
  GatesOfUnits: ["block/gate-twice", "h = g * h"],
});

test("squared activations are no mistake", async () => {
  expect((await runClass("gates.py", "Hidden")).findings).toEqual([]);
});
