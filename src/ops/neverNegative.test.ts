import { expect, test } from "vitest";
import { createEmitter } from "./emitter.ts";
import { isNeverNegative } from "./neverNegative.ts";

function start() {
  const emit = createEmitter();
  const options = { role: "input", name: null, requiresGrad: false, data: null } as const;
  const tokens = emit.input({ dtype: "int64", shape: [3] }, options);
  const scores = emit.input({ dtype: "float32", shape: [3, 4] }, options);
  return { emit, tokens, scores };
}

test("places of largest elements, and sums of what enters", () => {
  const { emit, tokens, scores } = start();
  const best = emit.op("ArgMax", [scores], { axis: 1, keepdims: 0 });
  expect(isNeverNegative(best, emit.makerOf)).toBe(true);
  expect(isNeverNegative(emit.op("Add", [best, tokens]), emit.makerOf)).toBe(true);
});

test("differences, and numbers that were made integers, may be negative", () => {
  const { emit, tokens, scores } = start();
  const best = emit.op("ArgMax", [scores], { axis: 1, keepdims: 0 });
  expect(isNeverNegative(emit.op("Sub", [best, tokens]), emit.makerOf)).toBe(false);
  const rounded = emit.op("Cast", [scores], { to: "int64" });
  expect(isNeverNegative(rounded, emit.makerOf)).toBe(false);
});
