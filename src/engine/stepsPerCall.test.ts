import { expect, test } from "vitest";
import type { TrainSettings } from "../protocol/training.ts";
import { stepsPerCall } from "./stepsPerCall.ts";

const settings = (of: Partial<TrainSettings>): TrainSettings => ({
  ...{ steps: 1000, batch: 1, seq: 1, task: null, optimizer: { name: "adam" } },
  schedule: { name: "constant", lr: 1, warmup: 0 },
  ...{ clip: null, accumulate: 1, directory: null, saveEvery: 1000, resume: false, threads: null },
  ...of,
});
const small = { state: 1000, fed: 1000 };

test("takes what is asked for, but not past a state that is saved", () => {
  expect(stepsPerCall(settings({ stepsPerCall: 7 }), small, "cpu")).toEqual({ most: 7, least: 7 });
  const soon = settings({ stepsPerCall: 7, saveEvery: 5 });
  expect(stepsPerCall(soon, small, "cpu")).toEqual({ most: 5, least: 5 });
});

test("takes by default as many as fit, where they are enough to be worth a loop", () => {
  const of = (fed: number) => stepsPerCall(settings({}), { state: 1000, fed }, "cpu");
  expect(of(1000)).toEqual({ most: 50, least: 4 });
  expect(of(2 ** 23)).toEqual({ most: 8, least: 4 });
  expect(of(2 ** 25)).toEqual({ most: 1, least: 1 });
  expect(stepsPerCall(settings({ steps: 3 }), small, "cpu")).toEqual({ most: 1, least: 1 });
});

test("holds a large state once more only where it need not leave the device for it", () => {
  const large = { state: 2 ** 30, fed: 1000 };
  expect(stepsPerCall(settings({}), large, "cpu").most).toBe(1);
  expect(stepsPerCall(settings({}), large, "cuda").most).toBe(50);
});
