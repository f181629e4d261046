/** torch.optim.Adam and AdamW. Kingma and Ba 2015, https://arxiv.org/abs/1412.6980. */
import type { Value } from "../../graph/graph.ts";
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
 * θ − lr/(1−β₁ᵗ) · m / (√v/√(1−β₂ᵗ) + ε). The state has m/(1−β₁) and v/(1−β₂), whose factors are
 * in the step's scalars, and those of numerator and denominator are multiplied together before: four
 * operations fewer on every element.
 */
function make(settings: OptimizerSettings, { key, isDecoupled, weightDecay }: Kind): Optimiser {
  const { betas: [beta1, beta2] = [0.9, 0.999], eps = 1e-8 } = settings;
  return {
    key,
    wholeMatrices: false,
    weightDecay,
    state: (shape) => [shape, shape],
    coefficients(step, lr, decay) {
      const root = Math.sqrt((1 - beta2 ** step) / (1 - beta2));
      return {
        size: lr * ((1 - beta1) / (1 - beta1 ** step)) * root,
        eps: eps * root,
        keep: 1 - lr * decay,
      };
    },
    update(emit, { parameter, gradient, state, weightDecay: decay, coefficient }) {
      const { add, sub, mul, div, sqrt } = arithmetic(emit);
      const [m, v] = state as [Value, Value];
      const isAdded = decay !== 0 && !isDecoupled;
      const g = isAdded ? add(gradient, mul(parameter, decay)) : gradient;
      const isShrunk = decay !== 0 && isDecoupled;
      const mean = add(mul(m, beta1), g);
      const square = add(mul(v, beta2), mul(g, g));
      const ratio = div(mean, add(sqrt(square), coefficient("eps")));
      const change = mul(ratio, coefficient("size"));
      const weights = isShrunk ? mul(parameter, coefficient("keep")) : parameter;
      return {
        parameter: sub(weights, change),
        change: isShrunk ? null : change,
        state: [mean, square],
      };
    },
  };
}
