/** Types that calls have no kernel for, or do not take beside each other: refused in PyTorch's words. */
import { torchError } from "../errors.ts";
import { numel } from "../graph/tensor.ts";
import { isWhole, type Kind, kindOf, noKernel, truthDifference } from "./kernels.ts";
import { type TorchType, typeOf } from "./promotion.ts";
import type { Tensor } from "./tensor.ts";
import { cppName, nativeNames } from "./typeNames.ts";

/** Looks at the types of a call's tensors, in the order of its parameters. */
type Rule = (types: readonly TorchType[]) => void;

const without =
  (kernel: string, ...kinds: readonly Kind[]): Rule =>
  ([first]) => {
    if (first !== undefined && kinds.includes(kindOf(first))) throw noKernel(kernel, first);
  };

const withoutHalf =
  (kernel: string): Rule =>
  ([first]) => {
    if (first === "float16" || first === "bfloat16") throw noKernel(kernel, first);
  };

/** Of which no truth is subtracted. */
const subtracts: Rule = (types) => {
  if (types.slice(0, 2).includes("bool")) throw truthDifference();
};

const ofOneType: Rule = ([first, ...others]) => {
  const other = others.find((type) => type !== first);
  if (first !== undefined && other !== undefined)
    throw torchError(
      "RuntimeError",
      `expected scalar type ${cppName(first)} but found ${cppName(other)}`,
    );
};

const inTurn =
  (...rules: readonly Rule[]): Rule =>
  (types) => {
    for (const rule of rules) rule(types);
  };

const cannotHold = (to: string) =>
  torchError("RuntimeError", `result type Float can't be cast to the desired output type ${to}`);

const rules: Readonly<Record<string, Rule>> = {
  bilinear: inTurn(
    (types) => {
      if (new Set(types.slice(0, 3)).size === 1) return;
      const [first, second, weight] = types.map((type) => nativeNames[type]);
      throw torchError(
        "RuntimeError",
        `All tensors must have the same dtype, got input1: ${first}, input2: ${second}, weight: ${weight}`,
      );
    },
    without("bmm", "bool"),
  ),
  binary_cross_entropy_with_logits: without("log_sigmoid_cpu", "bool", "integer"),
  cdist: inTurn(withoutHalf("cdist"), ofOneType),
  chain_matmul: without("addmm_impl_cpu_", "bool"),
  cross: ofOneType,
  cross_entropy: without("log_softmax_lastdim_kernel_impl", "bool", "integer"),
  dist: subtracts,
  fold: without("col2im_out_cpu", "integer"),
  gaussian_nll_loss: ([, , spread]) => {
    if (spread !== undefined && isWhole(spread)) throw cannotHold(nativeNames[spread]);
  },
  huber_loss: ([input, target]) => {
    if (input !== undefined && isWhole(input) && !(target && isWhole(target)))
      throw cannotHold(cppName(input));
  },
  kl_div: (types) => {
    if (types.some(isWhole))
      throw torchError("RuntimeError", "kl_div: Integral inputs not supported.");
  },
  l1_loss: subtracts,
  linalg_cross: ofOneType,
  linear: without("addmm_impl_cpu_", "bool"),
  margin_ranking_loss: subtracts,
  multi_dot: without("addmm_impl_cpu_", "bool"),
  nll_loss: without("nll_loss_out_frame", "bool", "integer"),
  matrix_power: without("addmm_impl_cpu_", "bool"),
  pairwise_distance: subtracts,
  poisson_nll_loss: (types) => {
    if (types.every((type) => type === "bool")) throw truthDifference();
  },
  soft_margin_loss: (types) => {
    const [input] = types;
    if (input !== undefined && types.every(isWhole)) throw cannotHold(cppName(input));
  },
  softsign: without("abs_cpu", "bool"),
  tanhshrink: subtracts,
  tensordot: without("addmm_impl_cpu_", "bool"),
  triplet_margin_loss: subtracts,
};

/** Of nothing PyTorch asks no kernel. */
export function refuseMissingKernel(key: string, tensors: readonly Tensor[]): void {
  const rule = rules[key];
  if (rule && tensors.every(({ shape }) => numel(shape) > 0)) rule(tensors.map(typeOf));
}
