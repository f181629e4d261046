import { expect, test } from "vitest";
import { codeColumn, leftColumn, rightColumn, type Table, textCell } from "../present/table.ts";
import type { Output } from "./output.ts";
import { textTable } from "./textTable.ts";

const output = (columns: number, hasColor = false): Output => ({
  isTerminal: false,
  columns,
  write: () => undefined,
  paint: (style, text) => (hasColor ? `<${style}>${text}</${style}>` : text),
});

const grouped: Table = {
  title: "",
  columns: [
    rightColumn("block"),
    rightColumn("Pre-LN", "stream"),
    rightColumn("Post-LN", "stream"),
    rightColumn("Pre", "gradient at output"),
    rightColumn("Post", "gradient at output"),
  ],
  rows: ["0", "1"].map((block) =>
    [block, "1.45", "1.00", "2.0e-3", "4.0e-4"].map((text) => textCell(text)),
  ),
};

test("columns are aligned under the heading of their group", () => {
  expect(textTable(grouped, output(80)).join("\n")).toMatchInlineSnapshot(`
    "            stream        gradient at output
    block   Pre-LN  Post-LN          Pre    Post
        0     1.45     1.00       2.0e-3  4.0e-4
        1     1.45     1.00       2.0e-3  4.0e-4"
  `);
});

test("a table that is too wide becomes several, each with its first column", () => {
  expect(textTable(grouped, output(40)).join("\n")).toMatchInlineSnapshot(`
    "            stream
    block   Pre-LN  Post-LN
        0     1.45     1.00
        1     1.45     1.00

            gradient at output
    block          Pre    Post
        0       2.0e-3  4.0e-4
        1       2.0e-3  4.0e-4"
  `);
});

test("source text is what gives way", () => {
  const table: Table = {
    title: "",
    columns: [rightColumn("line"), codeColumn("source"), rightColumn("forward")],
    rows: [[textCell("7"), textCell("x = x + self.attn(self.norm1(x))"), textCell("→ 1.0")]],
  };
  expect(textTable(table, output(44)).join("\n")).toMatchInlineSnapshot(`
    "line  source                         forward
       7  x = x + self.attn(self.norm1…    → 1.0"
  `);
});

test("other text is wrapped within its column", () => {
  const table: Table = {
    title: "",
    columns: [leftColumn(""), leftColumn("")],
    rows: [
      [textCell("device"), textCell("cpu (cuda: libcuda.so.1 is missing)")],
      [textCell("loss"), textCell("5.91")],
    ],
  };
  expect(textTable(table, output(34)).join("\n")).toMatchInlineSnapshot(`
    "device  cpu (cuda: libcuda.so.1 is
            missing)
    loss    5.91"
  `);
});

test("colour never stands inside the padding's arithmetic", () => {
  const table: Table = {
    title: "",
    columns: [leftColumn("kind"), rightColumn("n")],
    rows: [
      [textCell("error", "error"), textCell("1")],
      [textCell("information", "dim"), textCell("22")],
    ],
  };
  expect(textTable(table, output(40, true)).join("\n")).toMatchInlineSnapshot(`
    "<dim>kind          n</dim>
    <error>error      </error>   1
    <dim>information</dim>  22"
  `);
});
