import { expect, test } from "vitest";
import { fed, measure, uniforms } from "../../test/stats/measure.ts";
import { type DType, type HostArray, isHalf, numel } from "../graph/tensor.ts";
import { createEmitter } from "../ops/emitter.ts";
import type { Stats } from "../protocol/report.ts";
import { fromNum, hostStats, magnitudes } from "./moments.ts";

const floats = (shape: number[], f: (i: number, u: number) => number): HostArray => {
  const u = uniforms(numel(shape), numel(shape));
  return { dtype: "float32", shape, data: Float32Array.from(u, (x, i) => f(i, x)) };
};
const normal = (_: number, u: number): number =>
  Math.sqrt(-2 * Math.log(u + 1e-9)) * Math.cos(9e3 * u);

/** Counts exactly; other numbers relative to the largest of them. */
function expectStats(actual: Stats | null, array: HostArray, tolerance = 5e-5): void {
  const expected = hostStats(array.data);
  expect(actual).not.toBeNull();
  if (actual === null) return;
  for (const count of ["count", "zeroFraction", "nan", "posInf", "negInf"] as const)
    expect(actual[count], count).toBe(expected[count]);
  for (const part of ["min", "max", "absMax"] as const)
    expect(actual[part], part).toBe(expected[part]);
  for (const part of ["mean", "std", "rms", "l2"] as const) {
    if (typeof expected[part] === "string") expect(actual[part], part).toBe(expected[part]);
    else {
      const scale = part === "mean" ? fromNum(expected.rms) : Math.abs(expected[part]);
      const error = Math.abs(fromNum(actual[part]) - expected[part]);
      expect(error, `${part} ${actual[part]} for ${expected[part]}`).toBeLessThanOrEqual(
        tolerance * scale,
      );
    }
  }
}

async function check(arrays: readonly HostArray[], tolerance?: number): Promise<number> {
  const inputs = fed(...arrays);
  const graph = { inputs, nodes: [], outputs: [] };
  const { statsOf, refined } = await measure(
    graph,
    inputs.map((value) => ({ value })),
  );
  arrays.forEach((array, i) => {
    expectStats(statsOf({ value: inputs[i] as (typeof inputs)[0] }), array, tolerance);
  });
  return refined?.readings.length ?? 0;
}

/** One shape for each way of measuring: whole, on a shelf, alone, alone in rows. */
const shapes = [
  [],
  [7],
  [4, 5, 6],
  [3, 40, 50],
  [5, 100, 31],
  [70001],
  [2, 300, 200],
  [5, 500, 420],
];

test("measures every size in one stage", async () => {
  expect(await check(shapes.map((shape) => floats(shape, normal)))).toBe(0);
});

test("puts small values side by side in few nodes", async () => {
  const many = Array.from({ length: 40 }, (_, i) => [
    floats([3, 4 + (i % 2)], normal),
    floats([2 + (i % 3), 64, 32], normal),
    floats([5 + i], normal),
  ]).flat();
  const inputs = fed(...many);
  const { statsOf, instrumented } = await measure(
    { inputs, nodes: [], outputs: [] },
    inputs.map((value) => ({ value })),
  );
  many.forEach((array, i) => {
    expectStats(statsOf({ value: inputs[i] as (typeof inputs)[0] }), array);
  });
  expect(instrumented.graph.nodes.length).toBeLessThan(40);
});

test("counts zeros, also negative ones", async () => {
  const sparse = (i: number, u: number): number => (u < 0.3 ? 0 : i % 7 === 0 ? -0 : u - 0.6);
  expect(await check(shapes.map((shape) => floats(shape, sparse)))).toBe(0);
});

test("computes what is not finite in a second stage", async () => {
  const broken = (i: number, u: number): number =>
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0][i % 11] ?? 40 + u;
  const arrays = shapes.map((shape) => floats(shape, broken));
  expect(await check(arrays)).toBe(5);
  for (const only of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    await check(shapes.map((shape) => floats(shape, () => only)));
});

test("keeps the deviation beside a large mean", async () => {
  const far = shapes.map((shape) => floats(shape, (i, u) => 50 + 0.5 * normal(i, u)));
  expect(await check(far, 1e-6)).toBe(5);
  const one = shapes.map((shape) => floats(shape, () => 0.1));
  expect(await check(one)).toBe(0);
});

test("keeps numbers whose squares leave float32", async () => {
  const tiny = shapes.map((shape) => floats(shape, (i, u) => 1e-30 * normal(i, u)));
  const huge = shapes.map((shape) => floats(shape, (i, u) => 1e30 * normal(i, u)));
  expect(await check(tiny)).toBe(5);
  expect(await check(huge)).toBe(5);
});

test("measures every element type", async () => {
  const types: DType[] = ["float64", "float16", "bfloat16", "int64", "int32", "uint8", "bool"];
  for (const dtype of types) {
    const few = [[], [7], [3, 40, 50], [70001], [2, 300, 200]];
    const arrays = few.map((shape): HostArray => {
      const numbers = Float64Array.from(uniforms(5, numel(shape)), (u) =>
        dtype === "bool" ? (u < 0.4 ? 1 : 0) : Math.floor(u * 200),
      );
      const hold =
        {
          float64: Float64Array,
          int64: Float64Array,
          int32: Int32Array,
          uint8: Uint8Array,
          bool: Uint8Array,
        }[dtype as "bool"] ?? Float32Array;
      return { dtype, shape, data: hold.from(numbers) };
    });
    // Numbers of a coarse grid round to one side in long float32 sums.
    expect(await check(arrays, isHalf(dtype) ? 2e-4 : undefined), dtype).toBe(0);
  }
});

test("leaves a mask's -Infinity out at once", async () => {
  const arrays = shapes.map((shape) =>
    floats(shape, (i, u) => (u < 0.4 ? Number.NEGATIVE_INFINITY : normal(i, u))),
  );
  const all = floats([300, 300], () => Number.NEGATIVE_INFINITY);
  const inputs = fed(...arrays, all);
  const graph = { inputs, nodes: [], outputs: [] };
  const wanted = inputs.map((value) => ({ value, masked: true }));
  const { statsOf, refined } = await measure(graph, wanted);
  expect(refined).toBeNull();
  [...arrays, all].forEach((array, i) => {
    expectStats(statsOf(wanted[i] as (typeof wanted)[0]), array);
  });
});

test("measures complex numbers by their magnitude", async () => {
  const arrays = [
    [3, 2],
    [4, 9, 2],
    [6, 30, 40, 2],
    [200, 300, 2],
  ].map((shape) => floats(shape, normal));
  const inputs = fed(...arrays);
  const wanted = inputs.map((value) => ({ value, complex: true }));
  const { statsOf } = await measure({ inputs, nodes: [], outputs: [] }, wanted);
  arrays.forEach(({ shape, data }, i) => {
    const sizes = shape.slice(0, -1);
    const array: HostArray = { dtype: "float64", shape: sizes, data: magnitudes(data) };
    const actual = statsOf(wanted[i] as (typeof wanted)[0]);
    expect(actual?.count).toBe(numel(sizes));
    expect(fromNum(actual?.rms ?? 0)).toBeCloseTo(fromNum(hostStats(array.data).rms), 5);
    expect(fromNum(actual?.absMax ?? 0)).toBeCloseTo(fromNum(hostStats(array.data).absMax), 5);
  });
});

test("counts beyond float32's 2^24", async () => {
  const shape = [16_777_233];
  const data = new Float32Array(16_777_233).fill(1);
  data[5] = 0;
  const [whole] = fed({ dtype: "float32", shape, data });
  if (!whole) return;
  const { statsOf } = await measure({ inputs: [whole], nodes: [], outputs: [] }, [
    { value: whole },
  ]);
  expect(statsOf({ value: whole })?.zeroFraction).toBe(1 / 16_777_233);
  data[9] = Number.NaN;
  const { statsOf: second } = await measure({ inputs: [whole], nodes: [], outputs: [] }, [
    { value: whole },
  ]);
  expect(second({ value: whole })).toMatchObject({
    nan: 1,
    zeroFraction: 1 / 16_777_233,
    max: 1,
    min: 0,
  });
});

test("measures values that share their numbers once", async () => {
  const emit = createEmitter();
  const [x] = fed(floats([300, 300], normal));
  if (!x) return;
  const y = emit.op("Mul", [x, x]);
  const views = [
    emit.op("Reshape", [y, emit.ints([90000])]),
    emit.op("Transpose", [y], { perm: [1, 0] }),
    emit.op("Unsqueeze", [y, emit.ints([0])]),
    emit.op("Cast", [y], { to: "float64" }),
  ];
  const wide = emit.op("Expand", [views[2] as typeof x, emit.ints([4, 300, 300])]);
  const graph = { inputs: [x], nodes: emit.nodes, outputs: [] };
  const { statsOf, instrumented } = await measure(
    graph,
    [y, ...views, wide].map((value) => ({ value })),
  );
  expect(instrumented.readings).toHaveLength(1);
  const own = statsOf({ value: y });
  for (const view of views) expect(statsOf({ value: view })).toEqual(own);
  const four = statsOf({ value: wide });
  expect(four).toMatchObject({ count: 360000, rms: own?.rms, min: own?.min });
  expect(fromNum(four?.l2 ?? 0)).toBeCloseTo(2 * fromNum(own?.l2 ?? 0), 6);
});

test("knows empty values and constants without a node", async () => {
  const emit = createEmitter();
  const constant = emit.constant(floats([9], normal));
  const [empty] = fed({ dtype: "float32", shape: [0, 3], data: new Float32Array(0) });
  if (!empty) return;
  const { statsOf, instrumented } = await measure({ inputs: [empty], nodes: [], outputs: [] }, [
    { value: constant },
    { value: empty },
  ]);
  expect(instrumented.graph.nodes).toHaveLength(0);
  expectStats(statsOf({ value: constant }), floats([9], normal));
  expect(statsOf({ value: empty })).toEqual({
    count: 0,
    mean: "NaN",
    std: "NaN",
    rms: "NaN",
    min: "NaN",
    max: "NaN",
    absMax: "NaN",
    l2: 0,
    zeroFraction: 0,
    nan: 0,
    posInf: 0,
    negInf: 0,
  });
});

test("measures what a mask of float32's lowest number is in at once", async () => {
  const lowest = -3.4028234663852886e38;
  const shape = [2, 8, 200, 100];
  const emit = createEmitter();
  const [x] = fed(floats(shape, normal));
  if (!x) return;
  const mask = floats([200, 100], (i) => (i % 100 > i / 100 ? lowest : 0));
  const y = emit.op("Add", [x, emit.constant(mask)]);
  const graph = { inputs: [x], nodes: emit.nodes, outputs: [] };
  const { statsOf, refined } = await measure(graph, [{ value: y }]);
  expect(refined === null).toBe(true);
  const sum = (x.data as Float32Array).map((a, i) => a + (mask.data[i % 20000] as number));
  expectStats(statsOf({ value: y }), { dtype: "float32", shape, data: sum });
});

test("keeps what many small lines add to a few large ones", async () => {
  // As the gradient of a head of a thousand classes, two of which are asked for.
  const head = floats([1000, 500], (i, u) => (i < 1000 ? 0.5 : 5e-4) * normal(i, u));
  expect(await check([head], 2e-6)).toBe(1);
  const [x] = fed(head);
  if (!x) return;
  const graph = { inputs: [x], nodes: [], outputs: [] };
  const { statsOf, refined } = await measure(graph, [{ value: x, uneven: true }]);
  expect(refined).toBeNull();
  expectStats(statsOf({ value: x }), head, 2e-6);
});
