import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import { invariant } from "../errors.ts";
import { depthProfiles } from "./depthProfiles.ts";
import { layerTables, type Side, sideBySide } from "./layerTable.ts";
import type { Table } from "./table.ts";

const text = ({ title, columns, rows }: Table): string =>
  [
    title,
    columns.map(({ group, label }) => (group ? `${group}: ${label}` : label)).join(" | "),
    ...rows.map((row) => row.map((cell) => cell.text).join(" | ")),
  ].join("\n");

test("one row a block", () => {
  expect(layerTables(preReport()).map(text).join("\n")).toMatchInlineSnapshot(`
    "blocks: Pre-LN
    block | stream | attn / stream | ffn / stream | gradient | FFN grad | gain
    0 | 1.45 | 0.350 | 0.620 | 2.00e-3 | 0.358 | 1.20
    1 | 1.79 | 0.247 | 0.438 | 1.41e-3 | 0.253 | 1.20
    2 | 2.07 | 0.202 | 0.358 | 1.15e-3 | 0.207 | 1.20
    3 | 2.32 | 0.175 | 0.310 | 1.00e-3 | 0.179 | 1.20"
  `);
});

test("two stacks of different depth stand side by side", () => {
  const pre = preReport();
  const shallow = { ...postReport(), blocks: postReport().blocks.slice(0, 2) };
  const sides = [pre, shallow].map((report, i): Side => {
    const [profile] = depthProfiles(report);
    invariant(profile !== undefined, "the fixture has one stack");
    return { name: i === 0 ? "Pre-LN" : "Post-LN", profile };
  });
  expect(text(sideBySide("Per layer", sides))).toMatchInlineSnapshot(`
    "Per layer
    block | stream: Pre-LN | stream: Post-LN | attn / stream: Pre-LN | attn / stream: Post-LN | ffn / stream: Pre-LN | ffn / stream: Post-LN | gradient: Pre-LN | gradient: Post-LN | FFN grad: Pre-LN | FFN grad: Post-LN
    0 | 1.45 | 1.00 | 0.350 | 0.340 | 0.620 | 0.710 | 2.00e-3 | 4.00e-4 | 0.358 | 0.0717
    1 | 1.79 | 1.00 | 0.247 | 0.340 | 0.438 | 0.710 | 1.41e-3 | 6.40e-4 | 0.253 | 0.115
    2 | 2.07 | – | 0.202 | – | 0.358 | – | 1.15e-3 | – | 0.207 | –
    3 | 2.32 | – | 0.175 | – | 0.310 | – | 1.00e-3 | – | 0.179 | –"
  `);
});
