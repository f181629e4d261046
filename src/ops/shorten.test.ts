import { expect, test } from "vitest";
import type { Origin, Value } from "../graph/graph.ts";
import { createEmitter, noOrigin } from "./emitter.ts";
import { reshapeTo, transpose } from "./write.ts";

const backward: Origin = { ...noOrigin, direction: "backward" };

function start(origin: Origin, shape: readonly number[]) {
  const emit = createEmitter();
  emit.origin = origin;
  const options = { role: "input", name: null, requiresGrad: true, data: null } as const;
  const x = emit.input({ dtype: "float32", shape }, options);
  return { emit, x, made: (value: Value) => emit.makerOf(value) };
}

test("two transposes backward are one", () => {
  const { emit, x, made } = start(backward, [2, 3, 4]);
  const y = transpose(emit, transpose(emit, x, [1, 0, 2]), [0, 2, 1]);
  expect(y.shape).toEqual([3, 4, 2]);
  expect(made(y)).toMatchObject({ inputs: [x], attrs: { perm: [1, 2, 0] } });
});

test("a movement that undoes the one before it leaves the value", () => {
  const { emit, x } = start(backward, [2, 3]);
  expect(transpose(emit, transpose(emit, x, [1, 0]), [1, 0])).toBe(x);
  expect(reshapeTo(emit, reshapeTo(emit, x, [6]), [2, 3])).toBe(x);
});

test("two reshapes backward are one", () => {
  const { emit, x, made } = start(backward, [2, 3]);
  const y = reshapeTo(emit, reshapeTo(emit, x, [6]), [3, 2]);
  expect(y.shape).toEqual([3, 2]);
  expect(made(y)?.inputs[0]).toBe(x);
});

test("forward, what lies between gets a gradient and stays", () => {
  const { emit, x, made } = start(noOrigin, [2, 3]);
  const between = transpose(emit, x, [1, 0]);
  expect(made(transpose(emit, between, [1, 0]))?.inputs).toEqual([between]);
});

test("within a group, movements are joined and never left out", () => {
  const { emit, x, made } = start(noOrigin, [2, 3, 4]);
  const turned = transpose(emit, x, [1, 0, 2]);
  const [joined, undone] = emit.grouped(
    [turned],
    () => [transpose(emit, turned, [0, 2, 1]), transpose(emit, turned, [1, 0, 2])],
    () => [null],
  );
  expect(joined && made(joined)).toMatchObject({ inputs: [x], attrs: { perm: [1, 2, 0] } });
  expect(undone && made(undone)).toMatchObject({ inputs: [turned] });
});
