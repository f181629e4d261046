import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import type { RunReport } from "../protocol/report.ts";
import { blockTable } from "./layerTable.ts";
import { type ReportSide, stackSides } from "./reportSide.ts";
import type { Table } from "./table.ts";

const text = ({ title, columns, rows }: Table): string =>
  [
    title,
    columns.map(({ group, label }) => (group ? `${group}: ${label}` : label)).join(" | "),
    ...rows.map((row) => row.map((cell) => cell.text).join(" | ")),
  ].join("\n");

const side = (name: string, report: RunReport): ReportSide => ({ name, report, files: [] });

const tables = (sides: readonly ReportSide[]): string =>
  stackSides(sides).map(blockTable).map(text).join("\n");

test("one row a block", () => {
  expect(tables([side("Pre-LN", preReport())])).toMatchInlineSnapshot(`
    "Pre-LN, block by block
    block | stream | attn / stream | ffn / stream | grad at output | FFN weight grad | gain
    0 | 1.45 | 0.350 | 0.620 | 2.00e-3 | 0.358 | 1.20
    1 | 1.79 | 0.247 | 0.438 | 1.41e-3 | 0.253 | 1.20
    2 | 2.07 | 0.202 | 0.358 | 1.15e-3 | 0.207 | 1.20
    3 | 2.32 | 0.175 | 0.310 | 1.00e-3 | 0.179 | 1.20"
  `);
});

test("two stacks of different depth stand side by side", () => {
  const shallow = { ...postReport(), blocks: postReport().blocks.slice(0, 2) };
  expect(tables([side("Pre-LN", preReport()), side("Post-LN", shallow)])).toMatchInlineSnapshot(`
    "block by block
    block | stream: Pre-LN | stream: Post-LN | attn / stream: Pre-LN | attn / stream: Post-LN | ffn / stream: Pre-LN | ffn / stream: Post-LN | grad at output: Pre-LN | grad at output: Post-LN | FFN weight grad: Pre-LN | FFN weight grad: Post-LN | gain: Pre-LN | gain: Post-LN
    0 | 1.45 | 1.00 | 0.350 | 0.340 | 0.620 | 0.710 | 2.00e-3 | 4.00e-4 | 0.358 | 0.0717 | 1.20 | 0.630
    1 | 1.79 | 1.00 | 0.247 | 0.340 | 0.438 | 0.710 | 1.41e-3 | 6.40e-4 | 0.253 | 0.115 | 1.20 | 0.630
    2 | 2.07 | – | 0.202 | – | 0.358 | – | 1.15e-3 | – | 0.207 | – | 1.20 | –
    3 | 2.32 | – | 0.175 | – | 0.310 | – | 1.00e-3 | – | 0.179 | – | 1.20 | –"
  `);
});
