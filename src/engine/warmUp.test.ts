import { expect, test } from "vitest";
import { runSmallModel } from "./warmUp.ts";

test("runs through all that a request runs through", () => {
  const report = runSmallModel();
  expect(report.modules.map(({ path }) => path)).toEqual(["h.0", "h.1", "h.2", ""]);
  expect(report.blocks).toHaveLength(3);
  expect(report.norms).toHaveLength(6);
  expect(report.attention).toHaveLength(3);
  expect(report.parameters.every(({ gradient }) => gradient !== null)).toBe(true);
});
