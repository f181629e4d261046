import { expect, test } from "vitest";
import { parseAxis, requestOfRun, type SweepPlan, sweepRuns } from "./plan.ts";

/** What the first run of a sweep over one axis asks for. */
function firstOf(axis: string) {
  const plan = {
    request: { set: { depth: "2" }, seed: 3 },
    training: { schedule: { name: "constant", lr: 1, warmup: 0 }, optimizer: { name: "adam" } },
  } as unknown as SweepPlan;
  const [run] = sweepRuns([parseAxis(axis)], 1);
  if (run === undefined) throw new Error("no run");
  return requestOfRun(plan, run);
}

test("an axis is a setting of training or an argument of the constructor", () => {
  expect(firstOf("lr=1e-3").training.schedule.lr).toBe(1e-3);
  expect(firstOf("width=8").request.set).toEqual({ depth: "2", width: "8" });
});

test.each([
  ["lr=fast", "--over lr needs a number of 0 or above; got 'fast'"],
  ["lr=-1", "--over lr needs a number of 0 or above; got '-1'"],
  ["steps=0", "--over steps needs a whole number above 0; got '0'"],
  ["batch=1.5", "--over batch needs a whole number above 0; got '1.5'"],
  ["clip=0", "--over clip needs a number above 0; got '0'"],
  ["optimizer=adma", "--over optimizer needs names of sgd, adam"],
])("refuses %s", (axis, message) => {
  expect(() => firstOf(axis)).toThrow(message);
});

test("refuses a name or a value that stands twice", () => {
  const runs = (...axes: string[]) => sweepRuns(axes.map(parseAxis), 1);
  expect(() => runs("depth=2", "depth=4")).toThrow("The axis 'depth' is given twice");
  expect(() => runs("depth=2,4,2")).toThrow("The axis 'depth' has the value 2 twice");
  expect(runs("depth=2,4", "width=2,4")).toHaveLength(4);
});
