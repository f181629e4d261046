/** torch.einsum as transposes, products and sums: two operands at a time, from the left. */
import type { Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import { reshapeTo, transpose } from "../../ops/write.ts";
import { type Arg, anything, type Param } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { isComplexType, typeOf } from "../promotion.ts";
import { pair, parts } from "./complexNumbers.ts";
import { readEquation } from "./einsumEquation.ts";
import { needSameScalarType } from "./matmulErrors.ts";
import { complexProduct, multiply } from "./matrices.ts";

/** A value and the label of each of its axes, no label twice. */
interface Term {
  readonly value: Value;
  readonly labels: readonly string[];
}

type Emit = CallContext["emit"];

const all: Param<readonly Arg[]> = {
  describe: "equation and operands",
  accept: (arg) => (Array.isArray(arg) ? (arg as readonly Arg[]) : undefined),
  rest: true,
};

export const einsum = torchCall({
  name: "einsum",
  in: ["torch"],
  params: { operands: all },
  saves: ["operands"],
  build: (ctx, { operands: given }) => {
    const { operands, output } = readEquation(given);
    const [first] = operands;
    const type = first ? typeOf(first.tensor) : "float32";
    for (const { tensor } of operands) if (first) needSameScalarType(first.tensor, tensor);
    const values = operands.map(({ tensor }) => ctx.as(tensor, type));
    const labels = operands.map((operand) => operand.labels);
    if (!isComplexType(type))
      return { typed: contract(ctx.emit, values, labels, output), as: type };
    return { typed: contractComplex(ctx.emit, values, labels, output), as: type };
  },
});
