/** The first infinity of the forward pass that no mask put there, and that was made of finite numbers. */
import type { TorchCall } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { largestOf } from "./halfMargin.ts";

export function firstInfinity(evidence: Evidence): Finding[] {
  const first = evidence.values.find(
    ({ report: { activation }, traced }) =>
      traced.value.requiresGrad &&
      activation.posInf + (traced.masked ? 0 : activation.negInf) > 0 &&
      !readsInfinity(evidence, traced.call),
  );
  if (!first) return [];
  const { file, line, op, module, activation, dtype } = first.report;
  const count = activation.posInf + activation.negInf;
  const largest = largestOf(dtype);
  const over = largest === null ? "" : `: results exceed ${figure(largest)}, the largest ${dtype}`;
  return [
    {
      code: "numbers/infinity",
      severity: "error",
      message: `The first infinity of the forward pass: ${op} makes ${count} of ${activation.count}${over}`,
      file,
      line,
      module,
      evidence: { infinite: count, dtype, "largest finite": activation.absMax },
    },
  ];
}

/** Whether a mask's -inf, or an earlier infinity, is among what a call was given. */
function readsInfinity({ structure, bySource }: Evidence, call: TorchCall): boolean {
  const own = structure.nodes.filter(({ origin }) => origin.call?.id === call.id);
  return own.some(({ inputs }) =>
    inputs.some((value) => {
      const stats = value && bySource.get(structure.sourceOf(value).value.id);
      if (!stats || stats.traced.call.id === call.id) return false;
      const { posInf, negInf } = stats.report.activation;
      return posInf + negInf > 0;
    }),
  );
}
