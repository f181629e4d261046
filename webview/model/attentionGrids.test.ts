import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { attentionGrids } from "./attentionGrids.ts";

test("has a row for each head and a column for each block", () => {
  const [grids, ...others] = attentionGrids(preReport());
  expect(others).toEqual([]);
  expect(grids?.entropy.columns).toEqual(["0", "1", "2", "3"]);
  expect(grids?.entropy.rows.map(({ label }) => label)).toEqual([
    "head 0",
    "head 1",
    "head 2",
    "head 3",
  ]);
  expect(grids?.maxLogit.rows[0]?.values).toEqual([0.8, 0.8, 0.8, 0.8]);
});

test("layers that share a block are told apart by their path", () => {
  const report = preReport();
  const [first] = report.attention;
  const twice = first === undefined ? [] : [first, { ...first, call: 1 }];
  const [grids] = attentionGrids({ ...report, attention: twice });
  expect(grids?.entropy.columns).toEqual(["blocks.0.attn", "blocks.0.attn #1"]);
});
