/** Running sums and products. */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { sliceAxis } from "../../ops/write.ts";
import { int, tensor } from "../arguments.ts";
import { torchCall } from "../call.ts";
import { isComplexType } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { wrapDim } from "../views.ts";
import { complexMultiply, pair, parts } from "./complexNumbers.ts";
import { resultDType, sumType } from "./reduction.ts";

const both = ["torch", "Tensor"] as const;

/** Nothing is added up: PyTorch asks for no kernel. */
const isAlone = (input: Tensor): boolean => input.shape.length === 0 || numel(input.shape) === 0;

export const cumsum = torchCall({
  name: "cumsum",
  in: both,
  params: { input: tensor, dim: int, dtype: resultDType },
  inPlace: true,
  build: (ctx, { input, dim, dtype }) => {
    const { emit } = ctx;
    const type = sumType(dtype, input);
    const axis = wrapDim(dim, input.shape.length);
    if (ctx.inPlace && input.dtype === "bool" && isAlone(input))
      return { typed: emit.op("Identity", [ctx.store.read(input)]), as: "bool" };
    const x = ctx.as(input, type);
    if (input.shape.length === 0) return { typed: emit.op("Identity", [x]), as: type };
    return { typed: emit.op("CumSum", [x, emit.scalar(axis, "int64")]), as: type };
  },
});

export const cumprod = torchCall({
  name: "cumprod",
  in: both,
  params: { input: tensor, dim: int, dtype: resultDType },
  inPlace: true,
  saves: ["input", "result"],
  build: (ctx, { input, dim, dtype }) => {
    const { emit } = ctx;
    const type = sumType(dtype, input);
    const axis = wrapDim(dim, input.shape.length);
    if (ctx.inPlace && input.dtype === "bool" && isAlone(input))
      return { typed: emit.op("Identity", [ctx.store.read(input)]), as: "bool" };
    const x = ctx.as(input, type);
    const size = input.shape[axis] ?? 1;
    let products = emit.op("Identity", [x]);
    // Each round doubles the number of elements that a product covers.
    const isComplex = isComplexType(type);
    for (let reach = 1; reach < size; reach *= 2) {
      const earlier = isComplex
        ? delayedPairs(emit, products, axis, reach)
        : delayed(emit, products, axis, reach, 1);
      products = isComplex
        ? complexMultiply(emit, products, earlier)
        : emit.op("Mul", [products, earlier]);
    }
    return { typed: products, as: type };
  },
});

/** Complex ones come in: 1 + 0i. */
function delayedPairs(emit: Emit, z: Value, axis: number, steps: number): Value {
  const [re, im] = parts(emit, z);
  return pair(emit, delayed(emit, re, axis, steps, 1), delayed(emit, im, axis, steps, 0));
}

/** x moved on by `steps` along an axis, `filled` coming in. */
function delayed(emit: Emit, x: Value, axis: number, steps: number, filled: number): Value {
  const kept = sliceAxis(emit, x, axis, 0, (x.shape[axis] as number) - steps);
  const none = x.shape.map(() => 0);
  const pads = emit.ints([...none.with(axis, steps), ...none]);
  return emit.op("Pad", [kept, pads, emit.scalar(filled, x.dtype)]);
}
