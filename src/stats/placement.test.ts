import { expect, test } from "vitest";
import type { Value } from "../graph/graph.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { findNormalised } from "./normalised.ts";
import { type Placement, placementOf } from "./placement.ts";
import { followStream, type ResidualPath } from "./residual.ts";
import { findSources } from "./sources.ts";

const shape = [2, 3, 4];

function parameter(emit: Emitter, ...sizes: number[]): Value {
  const options = { role: "parameter", name: null, requiresGrad: true, data: null } as const;
  return emit.input({ dtype: "float32", shape: sizes }, options);
}

/** A block is what it does to the stream. */
interface Parts {
  readonly emit: Emitter;
  norm(x: Value): Value;
  branch(x: Value): Value;
  add(a: Value, b: Value): Value;
}

const layerNorm = (emit: Emitter, x: Value): Value =>
  emit.op("LayerNormalization", [x, parameter(emit, 4), parameter(emit, 4)], { axis: -1 });

const meanOf = (emit: Emitter, x: Value): Value =>
  emit.op("ReduceMean", [x, emit.ints([2])], { keepdims: 1 });

/** x · gain / (√mean(x²) + eps), as people write it. */
function rootNorm(emit: Emitter, x: Value): Value {
  const square = emit.op("Pow", [x, emit.scalar(2, "float32")]);
  const root = emit.op("Sqrt", [meanOf(emit, square)]);
  const scaled = emit.op("Mul", [parameter(emit, 4), x]);
  return emit.op("Div", [scaled, emit.op("Add", [root, emit.scalar(1e-6, "float32")])]);
}

/** In float32 between two conversions, with the gain as a distance from one. */
function gemmaNorm(emit: Emitter, x: Value): Value {
  const wide = emit.op("Cast", [emit.op("Cast", [x], { to: "float16" })], { to: "float32" });
  const variance = meanOf(emit, emit.op("Mul", [wide, wide]));
  const inverse = emit.op("Reciprocal", [
    emit.op("Sqrt", [emit.op("Add", [variance, emit.scalar(1e-6, "float32")])]),
  ]);
  const gain = emit.op("Add", [emit.scalar(1, "float32"), parameter(emit, 4)]);
  return emit.op("Mul", [emit.op("Mul", [wide, inverse]), gain]);
}

/** (x − mean) / √var · gain + bias, written out. */
function writtenOut(emit: Emitter, x: Value): Value {
  const centred = emit.op("Sub", [x, meanOf(emit, x)]);
  const spread = emit.op("Sqrt", [meanOf(emit, emit.op("Mul", [centred, centred]))]);
  const y = emit.op("Mul", [emit.op("Div", [centred, spread]), parameter(emit, 4)]);
  return emit.op("Add", [y, parameter(emit, 4)]);
}

function follow(
  block: (parts: Parts, x: Value) => Value,
  norm: (emit: Emitter, x: Value) => Value = layerNorm,
): ResidualPath {
  const emit = createEmitter();
  const x = emit.op("Exp", [parameter(emit, ...shape)]);
  const first = emit.nodes.length;
  const output = block(
    {
      emit,
      norm: (value) => norm(emit, value),
      add: (a, b) => emit.op("Add", [a, b]),
      branch: (value) => {
        const hidden = emit.op("MatMul", [value, parameter(emit, 4, 8)]);
        const back = emit.op("MatMul", [emit.op("Tanh", [hidden]), parameter(emit, 8, 4)]);
        return emit.op("Add", [back, parameter(emit, 4)]);
      },
    },
    x,
  );
  const graph = { inputs: [], nodes: emit.nodes, outputs: [output] };
  const found = findNormalised(emit.nodes, findSources(graph));
  return followStream(emit.nodes.slice(first), x, output, found);
}

const blocks: Record<string, readonly [Placement, (parts: Parts, x: Value) => Value]> = {
  pre: ["Pre-LN", ({ norm, branch, add }, x) => add(x, branch(norm(x)))],
  post: ["Post-LN", ({ norm, branch, add }, x) => norm(add(branch(x), x))],
  peri: ["Peri-LN", ({ norm, branch, add }, x) => add(x, norm(branch(norm(x))))],
  resPost: ["Res-Post-LN", ({ norm, branch, add }, x) => add(x, norm(branch(x)))],
  both: ["Pre-LN and Post-LN", ({ norm, branch, add }, x) => norm(add(x, branch(norm(x))))],
  none: ["no norm", ({ branch, add }, x) => add(x, branch(x))],
};

const norms = { layerNorm, rootNorm, gemmaNorm, writtenOut };

for (const [name, [placement, block]] of Object.entries(blocks))
  test(`recognises ${name} with every way to write a norm`, () => {
    for (const norm of Object.values(norms)) {
      const path = follow((parts, x) => block(parts, block(parts, x)), norm);
      expect(path.adds).toHaveLength(2);
      expect(placementOf(path), norm.name).toBe(placement);
    }
  });

test("tells a norm on the skip path from Post-LN", () => {
  const path = follow(({ norm, branch, add }, x) => {
    const first = norm(x);
    const sum = add(first, branch(first));
    const second = norm(sum);
    return add(second, branch(second));
  });
  expect(placementOf(path)).toBe("norm on the skip path");
});

test("follows parallel branches and a scaled stream", () => {
  const parallel = follow(({ norm, branch, add }, x) => {
    const y = norm(x);
    return add(add(x, branch(y)), branch(y));
  });
  expect(parallel.adds).toHaveLength(2);
  expect(placementOf(parallel)).toBe("Pre-LN");
  const scaled = follow(({ emit, norm, branch, add }, x) =>
    norm(add(emit.op("Mul", [x, emit.scalar(2.5, "float32")]), branch(x))),
  );
  expect(placementOf(scaled)).toBe("Post-LN");
});

test("follows a sum that leaves through an activation, and no further", () => {
  const activated = follow(({ emit, norm, branch, add }, x) =>
    emit.op("Relu", [add(x, norm(branch(x)))]),
  );
  expect(activated.end).toBe("activated");
  expect(placementOf(activated)).toBe("Res-Post-LN");
  const mixed = follow(({ branch, add }, x) => branch(add(x, branch(x))));
  expect(mixed.end).toBe("other");
  expect(placementOf(mixed)).toBe("unknown");
});

test("does not take a norm within a branch for one at its start", () => {
  const path = follow(({ emit, norm, branch, add }, x) =>
    add(x, branch(norm(emit.op("MatMul", [x, parameter(emit, 4, 4)])))),
  );
  expect(placementOf(path)).toBe("no norm");
});

test("calls a block whose branches differ mixed, and one without a sum unknown", () => {
  const mixed = follow(({ norm, branch, add }, x) => {
    const first = add(x, branch(norm(x)));
    return add(first, norm(branch(first)));
  });
  expect(placementOf(mixed)).toBe("mixed");
  expect(placementOf(follow(({ branch }, x) => branch(x)))).toBe("unknown");
});
