import { expect, test } from "vitest";
import { leftColumn, numberCell, rightColumn, textCell } from "../table.ts";
import { htmlTable } from "./htmlTable.ts";

test("headers have scopes, groups span their columns, tones are classes", () => {
  const table = {
    title: "stream <1>",
    columns: [leftColumn("block"), rightColumn("a", "stream"), rightColumn("b", "stream")],
    rows: [[textCell("0"), numberCell(1.5), numberCell("NaN")]],
  };
  expect(htmlTable(table)).toMatchInlineSnapshot(`
    "<div class="scroll"><table>
    <caption>stream &lt;1&gt;</caption>
    <thead><tr><td colspan="1"></td><th scope="colgroup" colspan="2">stream</th></tr><tr><th scope="col" class="left">block</th><th scope="col" class="right">a</th><th scope="col" class="right">b</th></tr></thead>
    <tbody><tr><th scope="row" class="left">0</th><td class="right">1.50</td><td class="right error">NaN</td></tr></tbody>
    </table></div>"
  `);
});

test("a table of facts has no header row", () => {
  const facts = { title: "", columns: [leftColumn("")], rows: [[textCell("a")]] };
  expect(htmlTable(facts, "facts")).not.toContain("<thead>");
});
