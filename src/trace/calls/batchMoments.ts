/** The moments of channels, and what they make of them. */
import type { Emit, Value } from "../../graph/graph.ts";
import { type DType, numel } from "../../graph/tensor.ts";
import type { CallContext } from "../call.ts";
import { roundedForward } from "../rounding.ts";

/** 1 / √(v + eps) */
export function inverseRoot(emit: Emit, v: Value, eps: number): Value {
  const raised = emit.op("Add", [v, emit.scalar(eps, v.dtype)]);
  return emit.op("Reciprocal", [emit.op("Sqrt", [raised])]);
}

/** How many numbers a channel has. */
export const countOver = (x: Value, axes: readonly number[]): number =>
  numel(axes.map((axis) => x.shape[axis] as number));

/**
 * The moments are rounded to the type that they are held in, and PyTorch's backward pass reads them as they
 * are held: dx = (d − d̄ − (x − mean) · k) · r with r = 1/√(variance + eps) and
 * k = r² · Σ d (x − mean) / n.
 */
export function normalizedOver(
  emit: CallContext["emit"],
  x: Value,
  axes: readonly number[],
  held: DType,
  eps: number,
) {
  const kept = (moment: Value) => roundedForward(emit, moment, held);
  // Sums are float32 in float16, and bfloat16 in bfloat16.
  const summed = (value: Value) => (held === "bfloat16" ? kept(value) : value);
  const over = (to: Emit, op: string, y: Value) => to.op(op, [y, to.ints(axes)], { keepdims: 1 });
  const exact = over(emit, "ReduceMean", x);
  const mean = kept(exact);
  const squares = summed(over(emit, "ReduceSumSquare", emit.op("Sub", [x, exact])));
  const share = emit.scalar(1 / countOver(x, axes), x.dtype);
  const root = kept(inverseRoot(emit, summed(emit.op("Mul", [squares, share])), eps));
  const write = (to: Emit) => to.op("Mul", [to.op("Sub", [x, mean]), root]);
  const [normal] = emit.grouped(
    [x],
    () => [write(emit)],
    (to, [d]) => {
      if (!d) return [null];
      const centred = to.op("Sub", [x, mean]);
      const product = over(to, "ReduceSum", to.op("Mul", [d, centred]));
      const scale = to.op("Mul", [to.op("Mul", [product, root]), to.op("Mul", [root, share])]);
      const level = to.op("Sub", [d, over(to, "ReduceMean", d)]);
      const rest = to.op("Sub", [level, to.op("Mul", [centred, scale])]);
      return [to.op("Mul", [rest, root])];
    },
  );
  return { normal: normal as Value, mean: summed(exact), squares };
}
