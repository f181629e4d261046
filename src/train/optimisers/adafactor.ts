/** torch.optim.Adafactor. Shazeer and Stern 2018, https://arxiv.org/abs/1804.04235. */
import type { Emit, Value } from "../../graph/graph.ts";
import { numel } from "../../graph/tensor.ts";
import type { OptimizerSettings } from "../../protocol/training.ts";
import { arithmetic, type Optimiser, type UpdateInput } from "./optimiser.ts";

const float32Eps = 2 ** -23;
const leastScale = 1e-3;
const clipThreshold = 1;
const beta2Decay = -0.8;

/** Second moments as an outer product of a row and a column, for the last two axes. */
export function adafactor(settings: OptimizerSettings): Optimiser {
  const { weightDecay = 0.01, eps = float32Eps } = settings;
  return {
    key: "adafactor",
    wholeMatrices: true,
    weightDecay,
    state: (shape) =>
      shape.length < 2
        ? [shape]
        : [
            [...shape.slice(0, -1), 1],
            [...shape.slice(0, -2), 1, shape.at(-1) ?? 1],
          ],
    coefficients: (step, lr, decay) => ({
      new: step ** beta2Decay,
      rho: Math.min(lr, 1 / Math.sqrt(step)),
      keep: 1 - lr * decay,
    }),
    update(emit, at) {
      const { parameter, gradient, weightDecay: decay, coefficient } = at;
      const { sub, mul, div, max, norm } = arithmetic(emit);
      const root = Math.sqrt(numel(parameter.shape));
      const scale = mul(max(div(norm(parameter), root), leastScale), coefficient("rho"));
      const weights = decay === 0 ? parameter : mul(parameter, coefficient("keep"));
      const { variance, state } = estimate(emit, at, eps);
      const change = div(gradient, emit.op("Sqrt", [max(variance, eps * eps)]));
      const clipped = max(div(norm(change), root * clipThreshold), 1);
      return { parameter: sub(weights, mul(change, div(scale, clipped))), state };
    },
  };
}

function estimate(emit: Emit, { gradient, state, coefficient }: UpdateInput, eps: number) {
  const { mul, div, max, lerp } = arithmetic(emit);
  const squares = mul(gradient, gradient);
  const share = coefficient("new");
  const rank = gradient.shape.length;
  const [first, second] = state as [Value, Value];
  if (rank < 2) {
    const variance = lerp(first, squares, share);
    return { variance, state: [variance] };
  }
  const meanOver = (x: Value, axis: number): Value =>
    emit.op("ReduceMean", [x, emit.ints([axis])], { keepdims: 1 });
  const rows = lerp(first, meanOver(squares, rank - 1), share);
  const columns = lerp(second, meanOver(squares, rank - 2), share);
  const variance = div(mul(rows, columns), max(meanOver(rows, rank - 2), eps));
  return { variance, state: [rows, columns] };
}
