/**
 * torch.optim.Muon for the matrices between embedding and head, AdamW for all else.
 * Jordan 2024, https://kellerjordan.github.io/posts/muon.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { swapLastTwo } from "../../ops/write.ts";
import type { OptimizerSettings } from "../../protocol/training.ts";
import type { ParameterRole } from "../parameterRoles.ts";
import { adamw } from "./adam.ts";
import { arithmetic, type Optimiser } from "./optimiser.ts";

const [a, b, c] = [3.4445, -4.775, 2.0315];
const iterations = 5;
const leastNorm = 1e-7;
const defaultDecay = 0.1;

export function muon(
  settings: OptimizerSettings,
  role: ParameterRole,
  shape: readonly number[],
): Optimiser {
  if (role !== "matrix" || shape.length !== 2) {
    const { betas, eps } = settings;
    const others = { ...(betas && { betas }), ...(eps !== undefined && { eps }) };
    return adamw({ name: "adamw", weightDecay: settings.weightDecay ?? defaultDecay, ...others });
  }
  const { momentum = 0.95, nesterov = true, weightDecay = defaultDecay } = settings;
  const [rows = 1, columns = 1] = shape;
  return {
    key: "muon",
    wholeMatrices: true,
    weightDecay,
    state: (own) => [own],
    coefficients: (_step, lr, decay) => ({ lr, keep: 1 - lr * decay }),
    update(emit, { parameter, gradient, state, weightDecay: decay, coefficient }) {
      const { sub, mul, lerp } = arithmetic(emit);
      const buffer = lerp(state[0] as Value, gradient, 1 - momentum);
      const direction = nesterov ? lerp(gradient, buffer, momentum) : buffer;
      const step = mul(coefficient("lr"), Math.sqrt(Math.max(1, rows / columns)));
      const weights = decay === 0 ? parameter : mul(parameter, coefficient("keep"));
      return { parameter: sub(weights, mul(orthogonal(emit, direction), step)), state: [buffer] };
    },
  };
}

/**
 * Five steps of Newton and Schulz towards the nearest orthogonal matrix. PyTorch works in bfloat16:
 * products are summed in float32, and every result is rounded.
 */
function orthogonal(emit: Emit, matrix: Value): Value {
  const { add, mul, div, max, norm } = arithmetic(emit);
  const round = (x: Value): Value =>
    emit.op("Cast", [emit.op("Cast", [x], { to: "bfloat16" })], { to: "float32" });
  const [rows = 1, columns = 1] = matrix.shape;
  const turned = rows > columns;
  const rounded = round(matrix);
  const wide = turned ? swapLastTwo(emit, rounded) : rounded;
  let x = round(div(wide, max(round(norm(wide)), leastNorm)));
  for (let iteration = 0; iteration < iterations; iteration++) {
    const gram = round(emit.op("MatMul", [x, swapLastTwo(emit, x)]));
    const update = round(add(mul(gram, b), mul(emit.op("MatMul", [gram, gram]), c)));
    x = round(add(mul(x, a), emit.op("MatMul", [update, x])));
  }
  return turned ? swapLastTwo(emit, x) : x;
}
