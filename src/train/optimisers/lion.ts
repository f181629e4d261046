/** Lion: Chen et al. 2023, https://arxiv.org/abs/2302.06675, algorithm 2. PyTorch has none. */
import type { OptimizerSettings } from "../../protocol/training.ts";
import { arithmetic, type Optimiser } from "./optimiser.ts";

/** θ = θ − lr · (sign(β₁ m + (1−β₁) g) + λ θ); m = β₂ m + (1−β₂) g. */
export function lion(settings: OptimizerSettings): Optimiser {
  const { betas: [beta1, beta2] = [0.9, 0.99], weightDecay = 0 } = settings;
  return {
    key: "lion",
    wholeMatrices: false,
    weightDecay,
    state: (shape) => [shape],
    coefficients: (_step, lr, decay) => ({ lr, keep: 1 - lr * decay }),
    update(emit, { parameter, gradient, state, weightDecay: decay, coefficient }) {
      const { sub, mul, lerp } = arithmetic(emit);
      const [m] = state;
      const weights = decay === 0 ? parameter : mul(parameter, coefficient("keep"));
      const sign = emit.op("Sign", [lerp(gradient, m as typeof gradient, beta1)]);
      return {
        parameter: sub(weights, mul(sign, coefficient("lr"))),
        state: [lerp(m as typeof gradient, gradient, 1 - beta2)],
      };
    },
  };
}
