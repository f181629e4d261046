/** torch.optim.Adam and AdamW. Kingma and Ba 2015, https://arxiv.org/abs/1412.6980. */
import type { OptimizerSettings } from "../../protocol/training.ts";
import { arithmetic, type Optimiser } from "./optimiser.ts";

/** Decay as a part of the gradient. */
export const adam = (settings: OptimizerSettings): Optimiser =>
  make(settings, { key: "adam", isDecoupled: false, weightDecay: settings.weightDecay ?? 0 });

/** Decay of the weights themselves: https://arxiv.org/abs/1711.05101. */
export const adamw = (settings: OptimizerSettings): Optimiser =>
  make(settings, { key: "adamw", isDecoupled: true, weightDecay: settings.weightDecay ?? 0.01 });

interface Kind {
  readonly key: string;
  readonly isDecoupled: boolean;
  readonly weightDecay: number;
}

/**
 * θ − lr/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε), with the scalars of numerator and denominator multiplied
 * together before: two operations fewer on every element.
 */
function make(settings: OptimizerSettings, { key, isDecoupled, weightDecay }: Kind): Optimiser {
  const { betas: [beta1, beta2] = [0.9, 0.999], eps = 1e-8 } = settings;
  return {
    key,
    wholeMatrices: false,
    weightDecay,
    state: (shape) => [shape, shape],
    coefficients(step, lr, decay) {
      const root = Math.sqrt(1 - beta2 ** step);
      return {
        size: (lr / (1 - beta1 ** step)) * root,
        eps: eps * root,
        keep: 1 - lr * decay,
      };
    },
    update(emit, { parameter, gradient, state, weightDecay: decay, coefficient }) {
      const { add, sub, mul, div, sqrt, lerp } = arithmetic(emit);
      const [m, v] = state;
      const isAdded = decay !== 0 && !isDecoupled;
      const g = isAdded ? add(gradient, mul(parameter, decay)) : gradient;
      const isShrunk = decay !== 0 && isDecoupled;
      const weights = isShrunk ? mul(parameter, coefficient("keep")) : parameter;
      const mean = lerp(m as typeof g, g, 1 - beta1);
      const square = add(mul(v as typeof g, beta2), mul(mul(g, 1 - beta2), g));
      const change = div(mean, add(sqrt(square), coefficient("eps")));
      return {
        parameter: sub(weights, mul(change, coefficient("size"))),
        state: [mean, square],
      };
    },
  };
}
