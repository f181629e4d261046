import { expect, test } from "vitest";
import { createGenerator } from "../engine.ts";
import { exactFused } from "../exact.ts";
import { uniform } from "../uniform.ts";
import type { FunctionSource } from "./assembler.ts";
import { assemble, i32, v128 } from "./assembler.ts";
import { fusedMultiplyAdd } from "./fused.ts";

const lanes = 4;

const source: FunctionSource = {
  name: "fuse",
  parameters: [],
  body: (f) => {
    const operand = (index: number) => f.keep(v128.load(i32.const(0), 16 * index));
    const fused = fusedMultiplyAdd(f, operand(0), operand(1), operand(2));
    f.run(v128.store(i32.const(0), fused, 48));
  },
};

const wasm = new WebAssembly.Instance(new WebAssembly.Module(assemble(1, [source]))).exports;
const memory = new Float32Array((wasm["memory"] as WebAssembly.Memory).buffer);

function fuse(...operands: readonly (readonly number[])[]): number[] {
  operands.forEach((operand, index) => {
    memory.set(operand, lanes * index);
  });
  (wasm["fuse"] as () => void)();
  return [...memory.slice(3 * lanes, 4 * lanes)];
}

function check(a: readonly number[], b: readonly number[], c: readonly number[]): void {
  const exact = a.map((x, lane) => exactFused(x, b[lane] ?? 0, c[lane] ?? 0, 24));
  expect(fuse(a, b, c)).toEqual(exact);
}

test("rounds a·b + c of float32 lanes once", () => {
  const gen = createGenerator(0);
  const numbers = new Float32Array(3 * lanes);
  for (let round = 0; round < 2000; round++) {
    uniform(gen, numbers, -1, 1, "float32");
    const [a, b, c] = [0, 1, 2].map((index) => [
      ...numbers.slice(lanes * index, lanes * (index + 1)),
    ]);
    check(a ?? [], b ?? [], c ?? []);
  }
});

test("is not misled by sums that look like ties in float64", () => {
  const tiny = 2 ** -23;
  const a = [1 + tiny, 1 + tiny, -1 - tiny, -1 - tiny];
  const b = [1 - tiny, 1 + 2 * tiny, 1 - tiny, 1 + 2 * tiny];
  for (const c of [2 ** 24, 2 ** 24 + 2, -(2 ** 24), -(2 ** 24) - 2]) check(a, b, [c, c, c, c]);
});
