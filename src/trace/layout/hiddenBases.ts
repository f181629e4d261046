/** Calls whose result PyTorch gives as a view of a tensor that nobody holds: it is not detached in place. */
import type { LaidCall } from "./rules.ts";

type Condition = (call: LaidCall) => boolean;

const always: Condition = () => true;

/** A sample alone is convolved as a batch of one. */
const isAlone =
  (axes: number): Condition =>
  ({ shape }) =>
    shape.length === axes + 1;

const conditions = new Map<string, Condition>([
  ["bilinear", ({ args }) => args["bias"] === null],
  ["chain_matmul", ({ operands }) => operands.length > 1],
  ["cov", always],
  ["ifft", ({ operands }) => operands[0]?.isComplex === false],
  ["ihfft", always],
  ["inner", ({ operands }) => operands.every((operand) => operand.shape.length > 0)],
  ["multi_dot", always],
  ["repeat_interleave", ({ args }) => typeof args["repeats"] === "number"],
  ["scaled_dot_product_attention", ({ shape }) => shape.length === 3],
  ["tensordot", always],
  ["dropout1d", ({ shape }) => shape.length !== 3],
  ["dropout3d", ({ shape }) => shape.length !== 5],
  ["avg_pool1d", always],
  ["adaptive_avg_pool1d", always],
  ["adaptive_max_pool1d", always],
  ["instance_norm", always],
  ["max_pool1d", ({ args, requiresGrad }) => args["return_indices"] === true || requiresGrad()],
  ["max_pool1d_with_indices", always],
]);
for (const axes of [1, 2, 3])
  for (const name of ["conv", "conv_transpose"]) conditions.set(`${name}${axes}d`, isAlone(axes));

export const hasHiddenBase = (name: string, call: LaidCall): boolean =>
  conditions.get(name)?.(call) ?? false;
