import { expect, test } from "vitest";
import { postReport } from "../../test/fixtures/reports.ts";
import { hover } from "./hover.ts";
import type { Table } from "./table.ts";

const text = ({ title, rows }: Table): string =>
  [title, ...rows.map((row) => row.map((cell) => cell.text).join(" | "))].join("\n");

test("the answer first, then the line's operations, then each layer", () => {
  const shown = hover(postReport(), "post.py", 24);
  expect(shown?.headline).toMatchInlineSnapshot(`"→ 1.0 ▄▄▄▄  ← 4.4e-4…1.8e-3 ▁▂▄▇  ×4"`);
  expect(shown && text(shown.operations)).toMatchInlineSnapshot(`
    "Operations of this line
    multi_head_attention_forward | float32[4, 32, 64] | 0.35 | 4.0e-4…1.6e-3 | 4
    add | float32[4, 32, 64] | 1.1 | 3.6e-4…1.5e-3 | 4
    layer_norm | float32[4, 32, 64] | 1.0 | 4.4e-4…1.8e-3 | 4"
  `);
  expect(shown && text(shown.passes)).toMatchInlineSnapshot(`
    "layer_norm
    blocks.0.norm1 | 1.00 | 0.0100 | 1.00 | -3.10 | 3.40 | 4.40e-4 | 1.50e-3
    blocks.1.norm1 | 1.00 | 0.0100 | 1.00 | -3.10 | 3.40 | 7.04e-4 | 2.39e-3
    blocks.2.norm1 | 1.00 | 0.0100 | 1.00 | -3.10 | 3.40 | 1.13e-3 | 3.83e-3
    blocks.3.norm1 | 1.00 | 0.0100 | 1.00 | -3.10 | 3.40 | 1.80e-3 | 6.13e-3"
  `);
});

test("nothing over a line without numbers", () => {
  expect(hover(postReport(), "post.py", 1)).toBeNull();
});
