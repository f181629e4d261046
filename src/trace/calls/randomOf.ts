/** Random tensors whose elements have distributions of their own. */
import { torchError } from "../../errors.ts";
import { allocate, type Numbers, numel, sameShape } from "../../graph/tensor.ts";
import {
  binomial,
  dirichlet,
  type Generator,
  poisson,
  rreluSlopes,
  standardGamma,
} from "../../random/generator.ts";
import { anything, float, keyword, optional, tensor } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { drawnIn, floatTypeOf, unfilled } from "./random.ts";

const generator = optional(anything);

/** A tensor like `input` that `fill` draws of its numbers. */
function drawnOf(
  ctx: CallContext,
  input: Tensor,
  fill: (gen: Generator, out: Numbers, given: Numbers) => void,
): Tensor {
  const { dtype, shape } = input;
  const given = ctx.store.numbers(input).slice();
  const draw = (gen: Generator): Numbers => {
    const numbers = allocate(dtype, numel(shape));
    fill(gen, numbers, given);
    return numbers;
  };
  const made = unfilled(ctx, shape, { dtype, isComplex: false });
  const before = ctx.generator.getState();
  ctx.store.write(made, drawnIn(ctx, { dtype, shape }, draw(ctx.generator), draw, before));
  return made;
}

function refuseGradient(ctx: CallContext, name: string, input: Tensor): void {
  if (ctx.emit.gradMode && ctx.store.requiresGrad(input))
    throw torchError(
      "UnsupportedCall",
      `the gradient of ${name} by its concentration is not supported`,
    );
}

export const standardGammaCall = torchCall({
  name: "_standard_gamma",
  in: ["torch"],
  params: { input: tensor, generator },
  moves: true,
  build: (ctx, { input }) => {
    refuseGradient(ctx, "_standard_gamma", input);
    const type = floatTypeOf("gamma", input.dtype);
    return drawnOf(ctx, input, (gen, out, given) => standardGamma(gen, out, given, type));
  },
});

export const sampleDirichlet = torchCall({
  name: "_sample_dirichlet",
  in: ["torch"],
  params: { input: tensor, generator },
  moves: true,
  build: (ctx, { input }) => {
    refuseGradient(ctx, "_sample_dirichlet", input);
    const type = floatTypeOf("dirichlet", input.dtype);
    const width = input.shape.at(-1) ?? 1;
    return drawnOf(ctx, input, (gen, out, given) => dirichlet(gen, out, given, width, type));
  },
});

/** Slopes of rrelu: 1 where the input is positive, elsewhere drawn from [lower, upper). */
export const rreluNoise = torchCall({
  name: "_rrelu_noise",
  in: ["torch._C"],
  params: { input: tensor, lower: float, upper: float },
  moves: true,
  build: (ctx, { input, lower, upper }) => {
    const kernel = "rrelu_with_noise_out_cpu";
    const type = floatTypeOf(kernel, input.dtype);
    if (type === "float16")
      throw torchError("NotImplementedError", `"${kernel}" not implemented for 'Half'`);
    return drawnOf(ctx, input, (gen, out, given) =>
      rreluSlopes(gen, out, given, lower, upper, type),
    );
  },
});

export const poissonCall = torchCall({
  name: "poisson",
  in: ["torch"],
  params: { input: tensor, generator: keyword(generator) },
  moves: true,
  build: (ctx, { input }) => {
    floatTypeOf("poisson_cpu", input.dtype);
    return drawnOf(ctx, input, poisson);
  },
});

export const binomialCall = torchCall({
  name: "binomial",
  in: ["torch"],
  params: { count: tensor, prob: tensor, generator: keyword(generator) },
  moves: true,
  build: (ctx, { count, prob }) => {
    const type = floatTypeOf("binomial_cpu", count.dtype);
    if (prob.dtype !== type)
      throw torchError(
        "RuntimeError",
        `Found dtype ${cppName(typeOf(prob))} but expected ${cppName(typeOf(count))}`,
      );
    if (!sameShape(count.shape, prob.shape))
      throw torchError("UnsupportedCall", "binomial of counts and probabilities of two shapes");
    const shares = ctx.store.numbers(prob).slice();
    return drawnOf(ctx, count, (gen, out, given) => binomial(gen, out, given, shares, type));
  },
});
