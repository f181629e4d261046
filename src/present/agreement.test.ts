import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import type { RunReport } from "../protocol/report.ts";
import { agreementOf, agreementTable } from "./agreement.ts";

/** The fixture with one number of its first value changed. */
function withMean(change: (mean: number) => RunReport["values"][number]["activation"]["mean"]) {
  const report = preReport();
  const [first, ...others] = report.values;
  if (first === undefined) throw new Error("the fixture has values");
  const mean = change(Number(first.activation.mean));
  return {
    ...report,
    values: [{ ...first, activation: { ...first.activation, mean } }, ...others],
  };
}

test("equal runs agree", () => {
  const { worst, rows } = agreementOf(preReport(), preReport());
  expect(worst).toBe(0);
  expect(rows.length).toBeGreaterThan(10);
});

test("the value that is furthest apart comes first, with the statistic", () => {
  const agreement = agreementOf(
    withMean((mean) => mean + 1),
    preReport(),
  );
  const [first] = preReport().values;
  expect(agreement.rows[0]).toMatchObject({
    name: `${first?.file}:${first?.line} ${first?.op}`,
    kind: "forward",
    statistic: "mean",
    distance: agreement.worst,
  });
  expect(agreement.rows[1]?.distance).toBe(0);
  const table = agreementTable(agreement, ["webgpu", "cpu"], 3);
  expect(table.rows).toHaveLength(3);
  expect(table.columns.map(({ label }) => label).slice(3)).toEqual(["webgpu", "cpu", "distance"]);
});

test("a number that only one device has is infinitely far away", () => {
  expect(
    agreementOf(
      withMean(() => "NaN"),
      preReport(),
    ).worst,
  ).toBe(Number.POSITIVE_INFINITY);
});
