import { expect, test } from "vitest";
import type { TrainReport } from "../../protocol/training.ts";
import { trainMeasures } from "./measures.ts";

test("what is not finite keeps its name in a file", () => {
  const step = { gradient: "NaN", updateRatios: ["NaN", 0.1], streamRms: [] };
  const report = {
    steps: [
      { ...step, loss: 2, step: 1 },
      { ...step, loss: "NaN", step: 2 },
    ],
    end: { reason: "not-finite", step: 2, origin: null },
    blocks: [],
  } as unknown as TrainReport;
  const kept = JSON.parse(JSON.stringify(trainMeasures(report).measures));
  expect(kept).toMatchObject({ "final loss": "NaN", "largest loss": "NaN" });
  expect(kept["largest update / weight"]).toBe("NaN");
});
