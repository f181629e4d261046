import { expect, test } from "vitest";
import { numberCell, rightColumn, type Table, textCell } from "../../src/present/table.ts";
import { tableCsv, tableJson } from "./tableFiles.ts";

const table: Table = {
  title: "Forward RMS",
  columns: [{ label: "", align: "left" }, rightColumn("0", "block"), rightColumn("1", "block")],
  rows: [
    [textCell('attn, "q"'), numberCell(0.1234567891), numberCell(null)],
    [textCell("=1+1"), numberCell("NaN"), numberCell(-2)],
  ],
};

test("CSV has the full numbers, and nothing that a spreadsheet would run", () => {
  expect(tableCsv(table)).toBe(
    'name,block 0,block 1\r\n"attn, ""q""",0.1234567891,\r\n\'=1+1,NaN,-2\r\n',
  );
});

test("JSON has an object a row", () => {
  expect(JSON.parse(tableJson(table))).toEqual({
    title: "Forward RMS",
    rows: [
      { name: 'attn, "q"', "block 0": 0.1234567891, "block 1": null },
      { name: "=1+1", "block 0": "NaN", "block 1": -2 },
    ],
  });
});
