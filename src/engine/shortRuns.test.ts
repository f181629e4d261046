import { expect, test } from "vitest";
import type { Graph } from "../graph/graph.ts";
import { createEmitter } from "../ops/emitter.ts";
import { isShort, threadsOfShort } from "./shortRuns.ts";

function product(rows: number): Graph {
  const emit = createEmitter();
  const options = { role: "input", name: null, requiresGrad: false, data: null } as const;
  const [a, b] = [
    [rows, 512],
    [512, 512],
  ].map((shape) => emit.input({ dtype: "float32", shape }, options));
  const outputs = [emit.op("MatMul", [a ?? null, b ?? null])];
  return { inputs: [], nodes: [...emit.nodes], outputs };
}

test("a run is short by the operations of its forward pass", () => {
  expect(isShort(product(256))).toBe(true);
  expect(isShort(product(4096))).toBe(false);
});

test("a short run leaves one of two processors to the tracer", () => {
  expect([1, 2, 4, 16].map(threadsOfShort)).toEqual([1, 1, null, null]);
});
