import { expect, test } from "vitest";
import { fed, measure, uniforms } from "../../test/stats/measure.ts";
import { createEmitter } from "../ops/emitter.ts";
import { hostMoments, hostStats } from "./moments.ts";
import { combined } from "./wholes.ts";

test("moments of parts are those of the whole", () => {
  const numbers = Float64Array.from(uniforms(1, 3000), (x, i) => (i % 7 === 0 ? 0 : 100 + x));
  numbers[5] = Number.NaN;
  numbers[2000] = Number.NEGATIVE_INFINITY;
  const parts = [
    hostMoments(numbers, 0, 1000),
    hostMoments(numbers, 1000, 1001),
    hostMoments(numbers, 1001, 3000),
  ];
  const [found, wanted] = [combined(parts), hostMoments(numbers)];
  expect(found).toMatchObject({
    ...wanted,
    mean: expect.any(Number),
    deviations: expect.any(Number),
  });
  expect(found.mean).toBeCloseTo(wanted.mean, 10);
  expect(found.deviations / wanted.deviations).toBeCloseTo(1, 12);
});

test("what is split into measured parts, or put together of them, is not measured itself", async () => {
  const data = Float32Array.from(uniforms(2, 3 * 2 ** 16), (x) => x - 0.3);
  const [x] = fed({ dtype: "float32", shape: [256, 768], data });
  if (!x) throw new Error("x was made");
  const emit = createEmitter();
  const y = emit.op("Mul", [x, emit.scalar(2, "float32")]);
  const parts = emit.ops("Split", [y], { axis: 1, num_outputs: 3 }, 3);
  const whole = emit.op("Concat", parts.toReversed(), { axis: 0 });
  const graph = { inputs: [x], nodes: emit.nodes, outputs: [whole] };
  const wanted = [y, ...parts, whole].map((value) => ({ value }));
  const { statsOf, instrumented } = await measure(graph, wanted);
  const measured = instrumented.readings.map(({ value }) => value);
  expect(new Set(measured)).toEqual(new Set(parts));
  const doubled = hostStats(data.map((number) => 2 * number));
  for (const value of [y, whole])
    for (const [name, number] of Object.entries(doubled))
      expect(statsOf({ value })?.[name as keyof typeof doubled]).toBeCloseTo(number as number, 3);
});
