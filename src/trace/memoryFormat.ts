/**
 * The order in which PyTorch lays out the numbers of what elementwise calls give: that of their first operand
 * of the same shape. Here all results lie row by row; only what is drawn for a tensor follows its memory.
 */
import { memoryOrder } from "../random/generator.ts";
import type { Tensor } from "./tensor.ts";

const elementwise = new Set([
  ...["add", "sub", "rsub", "mul", "multiply", "div", "divide", "true_divide", "pow", "where"],
  ...["neg", "abs", "exp", "log", "sqrt", "rsqrt", "square", "sin", "cos", "tanh", "sigmoid"],
  ...["relu", "gelu", "silu", "elu", "leaky_relu", "mish", "selu", "softplus", "hardtanh"],
  ...["dropout", "clamp", "masked_fill", "lerp", "addcmul", "clone", "to", "float"],
]);

const orders = new WeakMap<Tensor, readonly number[]>();

/** The axes from the largest stride to the smallest; null: in the order of the indices. */
export const orderOf = (tensor: Tensor): readonly number[] | null =>
  orders.get(tensor) ?? memoryOrder(tensor.shape, tensor.strides);

/** Notes the order of a call's result, where it is a tensor of its own. */
export function noteOrder(name: string, result: Tensor, operands: readonly Tensor[]): void {
  if (!elementwise.has(name) || result.parent !== null || operands.includes(result)) return;
  const { shape } = result;
  const like = operands.find((operand) => operand.shape.join() === shape.join());
  const order = like === undefined ? null : orderOf(like);
  if (order !== null) orders.set(result, order);
}
