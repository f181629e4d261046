import { expect, test } from "vitest";
import { postReport, postSource, preReport, preSource } from "../../test/fixtures/reports.ts";
import type { RunReport, ValueReport } from "../protocol/report.ts";
import { lineNotes } from "./lineNotes.ts";

/** The file with its notes beside it, as an editor shows it. */
const annotated = (report: RunReport, source: string, file: string): string => {
  const notes = new Map(lineNotes(report, file).map(({ line, text }) => [line, text]));
  return source
    .split("\n")
    .map((text, i) => (notes.has(i + 1) ? `${text}  #> ${notes.get(i + 1)}` : null))
    .filter((text) => text !== null)
    .join("\n");
};

test("a line shows its outermost expression, folded over the layers", () => {
  expect(annotated(preReport(), preSource(), "pre.py")).toMatchInlineSnapshot(`
    "        return self.down(F.gelu(self.up(x)))  #> → 0.62 ▄▄▄▄  ← 2.0e-3…1.0e-3 ▇▃▂▁  ×4
            x = x + self.attn(self.norm1(x))  #> → 1.3…2.1 ▁▃▅▇  ← 2.2e-3…1.1e-3 ▇▃▂▁  ×4
            x = x + self.ffn(self.norm2(x))  #> → 1.4…2.3 ▁▃▅▇  ← 2.0e-3…1.0e-3 ▇▃▂▁  ×4"
  `);
  expect(annotated(postReport(), postSource(), "post.py")).toMatchInlineSnapshot(`
    "        return self.down(F.gelu(self.up(x)))  #> → 0.62 ▄▄▄▄  ← 4.0e-4…1.6e-3 ▁▂▄▇  ×4
            x = self.norm1(x + self.attn(x))  #> → 1.0 ▄▄▄▄  ← 4.4e-4…1.8e-3 ▁▂▄▇  ×4
            x = self.norm2(x + self.ffn(x))  #> → 1.0 ▄▄▄▄  ← 4.0e-4…1.6e-3 ▁▂▄▇  ×4"
  `);
});

const valueWith = (change: Partial<ValueReport>): ValueReport => {
  const [value] = preReport().values;
  if (value === undefined) throw new Error("the fixture has values");
  return { ...value, file: "a.py", line: 1, column: 0, op: "add", module: "", ...change };
};

const textOf = (values: readonly ValueReport[]): string | undefined =>
  lineNotes({ ...preReport(), values }, "a.py")[0]?.text;

test("a line that ran once has no range, and without gradient no arrow", () => {
  expect(textOf([valueWith({ gradient: null })])).toBe("→ 1.0");
});

test("entries that are not finite are counted over all passes", () => {
  const { activation } = valueWith({});
  const broken = { ...activation, nan: 2, posInf: 1 };
  const values = ["blocks.0", "blocks.1"].map((module) =>
    valueWith({ module, activation: broken, gradient: null }),
  );
  expect(textOf(values)).toBe("→ 1.0 ▄▄  ×2  4 NaN, 2 inf");
});

test("of a sum of three the whole is shown, not its first part", () => {
  const sum = (module: string, endColumn: number) =>
    valueWith({ module, endColumn, op: "add", gradient: null });
  const values = ["blocks.0", "blocks.1"].flatMap((module) => [sum(module, 5), sum(module, 9)]);
  expect(textOf(values)).toBe("→ 1.0 ▄▄  ×2");
});

test("a line of a class that is used in several places shows all of its passes", () => {
  const modules = ["encoder.0.norm", "decoder.0.norm", "final_norm"];
  const values = modules.map((module) => valueWith({ module, op: "layer_norm", gradient: null }));
  expect(textOf(values)).toBe("→ 1.0 ▄▄▄  ×3");
});

test("other files have no part in it", () => {
  expect(lineNotes(preReport(), "post.py")).toEqual([]);
});
