import { expect, test } from "vitest";
import { preReport, preSource } from "../../test/fixtures/reports.ts";
import { definitionRange, lineRows, lineTable, measuredMethods } from "./lineTable.ts";

const text = (table: ReturnType<typeof lineTable>): string =>
  table.rows.map((row) => row.map((cell) => cell.text).join(" | ")).join("\n");

test("without a range only lines with numbers are listed", () => {
  const rows = lineRows(preReport(), "pre.py", preSource(), null);
  expect(text(lineTable("pre.py", rows))).toMatchInlineSnapshot(`
    "12 | return self.down(F.gelu(self.up(x))) | → 0.62 | ▄▄▄▄ | ← 2.0e-3…1.0e-3 | ▇▃▂▁ | ×4
    24 | x = x + self.attn(self.norm1(x)) | → 1.3…2.1 | ▁▃▅▇ | ← 2.2e-3…1.1e-3 | ▇▃▂▁ | ×4
    25 | x = x + self.ffn(self.norm2(x)) | → 1.4…2.3 | ▁▃▅▇ | ← 2.0e-3…1.0e-3 | ▇▃▂▁ | ×4"
  `);
});

test("a range keeps its lines without numbers and drops the common indentation", () => {
  const rows = lineRows(preReport(), "pre.py", preSource(), { first: 23, last: 26 });
  expect(text(lineTable("pre.py", rows))).toMatchInlineSnapshot(`
    "23 | def forward(self, x): |  |  |  |  | 
    24 |     x = x + self.attn(self.norm1(x)) | → 1.3…2.1 | ▁▃▅▇ | ← 2.2e-3…1.1e-3 | ▇▃▂▁ | ×4
    25 |     x = x + self.ffn(self.norm2(x)) | → 1.4…2.3 | ▁▃▅▇ | ← 2.0e-3…1.0e-3 | ▇▃▂▁ | ×4
    26 |     return x |  |  |  |  | "
  `);
});

test("of a class the measured methods are kept, against the margin", () => {
  const rows = lineRows(preReport(), "pre.py", preSource(), definitionRange(preSource(), 15));
  expect(measuredMethods(rows).map(({ line, source }) => `${line} ${source}`)).toEqual([
    "23 def forward(self, x):",
    "24     x = x + self.attn(self.norm1(x))",
    "25     x = x + self.ffn(self.norm2(x))",
    "26     return x",
  ]);
});

test("a definition ends where its indentation ends", () => {
  expect(definitionRange(preSource(), 5)).toEqual({ first: 5, last: 12 });
  expect(definitionRange(preSource(), 23)).toEqual({ first: 23, last: 26 });
  expect(definitionRange("class A:\n  def f(\n    x,\n  ):\n    y\n\nb = 1\n", 2).last).toBe(5);
});
