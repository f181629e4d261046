import { expect, test } from "vitest";
import type { ScheduleSettings } from "../protocol/training.ts";
import { learningRate } from "./schedule.ts";

const rates = (settings: Partial<ScheduleSettings>, at: readonly number[], steps = 100) =>
  at.map((step) =>
    Number(
      learningRate({ name: "constant", lr: 1, warmup: 0, ...settings }, step, steps).toFixed(4),
    ),
  );

test("warms up linearly to the full rate", () => {
  expect(rates({ warmup: 10 }, [1, 5, 10, 11])).toEqual([0.1, 0.5, 1, 1]);
});

test("a cosine ends near its end, half-way it has the mean", () => {
  expect(rates({ name: "cosine" }, [1, 51, 100])).toEqual([1, 0.5, 0.0002]);
  expect(rates({ name: "cosine", end: 0.2 }, [51])).toEqual([0.6]);
});

test("the inverse square root has its peak at the end of the warm-up", () => {
  expect(rates({ name: "inverse-sqrt", warmup: 4 }, [2, 4, 16])).toEqual([0.5, 1, 0.5]);
});

test("wsd is constant until its last part", () => {
  expect(rates({ name: "wsd", decayShare: 0.2 }, [80, 81, 91, 100])).toEqual([1, 1, 0.5, 0.05]);
});

test("a step schedule multiplies every so often", () => {
  expect(rates({ name: "step", gamma: 0.5, every: 10 }, [10, 11, 21])).toEqual([1, 0.5, 0.25]);
});
