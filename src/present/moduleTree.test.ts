import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { type ModuleNode, moduleTree } from "./moduleTree.ts";
import { formatCount, formatNumber } from "./number.ts";

const text = (node: ModuleNode, indent = ""): string => {
  const num = (it: ModuleNode["forward"]) => (it === null ? "–" : formatNumber(it));
  const kind = node.class ?? "container";
  const numbers = `→ ${num(node.forward)} ← ${num(node.gradient)}`;
  const line = `${indent}${node.name || "model"}: ${kind} ${formatCount(node.parameters)} ${numbers}`;
  return [line, ...node.children.map((child) => text(child, `${indent}  `))].join("\n");
};

test("modules nest by their paths, containers between them are filled in", () => {
  const report = preReport();
  const modules = report.modules.filter(({ path }) => !/^blocks\.[123]/.test(path));
  expect(text(moduleTree({ ...report, modules }))).toMatchInlineSnapshot(`
    "model: PreLNTransformer 232 k → 1.00 ← 1.00e-4
      blocks: container 199 k → – ← –
        0: PreLNBlock 49.7 k → 1.45 ← 2.00e-3
          norm1: LayerNorm 128 → 1.00 ← 1.40e-3
          attn: MultiheadAttention 16.4 k → 0.350 ← 2.00e-3
          norm2: LayerNorm 128 → 1.00 ← 1.40e-3
          ffn: FeedForward 33.1 k → 0.620 ← 2.00e-3
            up: Linear 16.6 k → 0.800 ← 1.00e-3
            down: Linear 16.4 k → 0.620 ← 2.00e-3
      final_norm: LayerNorm 0 → 1.00 ← 4.00e-4
      head: Linear 16.4 k → 1.00 ← 1.00e-4"
  `);
});

test("layers stand in numeric order", () => {
  const report = preReport();
  const [module] = report.modules;
  if (module === undefined) throw new Error("the fixture has modules");
  const modules = ["blocks.10", "blocks.2", "blocks.0"].map((path) => ({ ...module, path }));
  const [blocks] = moduleTree({ ...report, modules }).children;
  expect(blocks?.children.map(({ name }) => name)).toEqual(["0", "2", "10"]);
});
