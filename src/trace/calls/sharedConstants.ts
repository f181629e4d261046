/** Constants that every layer needs, made once for each graph: masks, rows of ones. */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType, type HostArray, numel } from "../../graph/tensor.ts";

const byGraph = new WeakMap<Emit, Map<string, Value>>();

/** The constant named `key`, made by `make` at its first use in the graph. */
export function sharedConstant(emit: Emit, key: string, make: () => HostArray): Value {
  const known = byGraph.get(emit) ?? new Map<string, Value>();
  byGraph.set(emit, known);
  const value = known.get(key) ?? emit.constant(make());
  known.set(key, value);
  return value;
}

export const onesOf = (emit: Emit, dtype: DType, shape: readonly number[]): Value =>
  sharedConstant(emit, `ones ${dtype} ${shape.join()}`, () => ({
    dtype,
    shape,
    data: allocate(dtype, numel(shape)).fill(1),
  }));
