import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { statsTable } from "./statsTable.ts";

test("has a row for every statistic; what is not finite stands out", () => {
  const activation = preReport().values[0]?.activation;
  if (activation === undefined) throw new Error("the report has a value");
  const { rows } = statsTable("", { ...activation, nan: 3, zeroFraction: 0.021 }, null);
  const byLabel = new Map(rows.map((row) => [row[0]?.text, row[1]]));
  expect(byLabel.get("NaN")).toEqual({ text: "3", value: 3, tone: "error" });
  expect(byLabel.get("zeros")?.text).toBe("2.1 %");
  expect(rows.every((row) => row[2]?.text === "–")).toBe(true);
});
