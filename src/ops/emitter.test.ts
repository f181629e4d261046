import { expect, test } from "vitest";
import { createEmitter, type Emitter } from "./emitter.ts";

const backward = () => ({ direction: "backward", call: null, group: null }) as const;

function withInput(shape: readonly number[]) {
  const emit = createEmitter();
  const type = { dtype: "float32", shape } as const;
  const options = { role: "input", name: "x", requiresGrad: false, data: null } as const;
  return { emit, x: emit.input(type, options) };
}

const written = (emit: Emitter): string[] => emit.nodes.map(({ op }) => op);

test("evaluates nodes of constants", () => {
  const { emit } = withInput([2]);
  const sum = emit.op("Add", [emit.scalar(1, "float32"), emit.scalar(2, "float32")]);
  expect(sum).toMatchObject({ role: "constant", data: Float32Array.of(3) });
  expect(written(emit)).toEqual([]);
});

test("leaves integers that no double holds to the runtime", () => {
  const { emit } = withInput([2]);
  const large = emit.scalar(2 ** 40, "int64");
  expect(emit.op("Mul", [large, emit.scalar(2 ** 13 - 1, "int64")]).role).toBe("constant");
  expect(emit.op("Mul", [large, emit.scalar(3 ** 20, "int64")]).role).toBe("node");
});

test("leaves large constants of the backward pass to the runtime", () => {
  const { emit } = withInput([2]);
  emit.origin = backward();
  emit.op("Expand", [emit.scalar(1, "float32"), emit.ints([100, 100])]);
  expect(written(emit)).toEqual(["Expand"]);
});

test("shares small constants and those of one number, but not 0 and -0", () => {
  const { emit } = withInput([2]);
  const ones = () =>
    ({ dtype: "float32", shape: [500], data: new Float32Array(500).fill(1) }) as const;
  expect(emit.ints([0, 1])).toBe(emit.ints([0, 1]));
  expect(emit.constant(ones())).toBe(emit.constant(ones()));
  expect(emit.scalar(0, "float32")).not.toBe(emit.scalar(-0, "float32"));
  expect(emit.scalar(0, "float32")).not.toBe(emit.scalar(0, "float64"));
});

test("writes what two rules of one backward node need alike once", () => {
  const { emit, x } = withInput([2]);
  emit.origin = backward();
  expect(emit.op("Exp", [x])).toBe(emit.op("Exp", [x]));
  expect(emit.op("Softmax", [x], { axis: 0 })).not.toBe(emit.op("Softmax", [x], { axis: -1 }));
  emit.origin = backward();
  emit.op("Exp", [x]);
  expect(written(emit)).toEqual(["Exp", "Softmax", "Softmax", "Exp"]);
});

test("writes forward nodes as often as they are asked for", () => {
  const { emit, x } = withInput([2]);
  expect(emit.op("Exp", [x])).not.toBe(emit.op("Exp", [x]));
});

test("computes half types in float32 and rounds", () => {
  const emit = createEmitter();
  const type = { dtype: "bfloat16", shape: [2] } as const;
  const x = emit.input(type, { role: "input", name: "x", requiresGrad: true, data: null });
  expect(emit.op("Mul", [x, emit.scalar(2, "bfloat16")])).toMatchObject(type);
  expect(written(emit)).toEqual(["Cast", "Mul", "Cast"]);
  emit.op("Reshape", [x, emit.ints([2, 1])]);
  expect(written(emit).at(-1)).toBe("Reshape");
});

test("evaluates everything where no graph will be run", () => {
  const large = {
    dtype: "float32",
    shape: [(1 << 22) + 1],
    data: new Float32Array((1 << 22) + 1),
  } as const;
  const roleOf = (emit: ReturnType<typeof createEmitter>) =>
    emit.op("Neg", [emit.constant(large)]).role;
  expect(roleOf(createEmitter())).toBe("node");
  expect(roleOf(createEmitter({ foldsAll: true }))).toBe("constant");
});
