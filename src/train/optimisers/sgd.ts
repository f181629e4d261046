/** torch.optim.SGD, with dampening 0. */
import type { OptimizerSettings } from "../../protocol/training.ts";
import { arithmetic, type Optimiser } from "./optimiser.ts";

/** b = μ b + g; θ = θ − lr · b, or with Nesterov θ − lr · (g + μ b). */
export function sgd(settings: OptimizerSettings): Optimiser {
  const { momentum = 0, nesterov = false, weightDecay = 0 } = settings;
  return {
    key: "sgd",
    wholeMatrices: false,
    weightDecay,
    state: (shape) => (momentum === 0 ? [] : [shape]),
    coefficients: (_step, lr) => ({ lr }),
    update(emit, { parameter, gradient, state, weightDecay: decay, coefficient }) {
      const { add, sub, mul } = arithmetic(emit);
      const g = decay === 0 ? gradient : add(gradient, mul(parameter, decay));
      const [before] = state;
      const buffer = before ? add(mul(before, momentum), g) : null;
      const direction = buffer === null ? g : nesterov ? add(g, mul(buffer, momentum)) : buffer;
      const change = mul(direction, coefficient("lr"));
      return {
        parameter: sub(parameter, change),
        change,
        state: buffer === null ? [] : [buffer],
      };
    },
  };
}
