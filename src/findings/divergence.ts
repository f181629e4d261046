/** kl_div takes logarithms of probabilities, and beside them probabilities. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding, Num } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure, madeBefore, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Rounding leaves logarithms of 1 a little above 0. */
const slack = 1e-3;

export function divergence(evidence: Evidence): Finding[] {
  const { nodes } = evidence.structure;
  const calls = new Map<number, Node[]>();
  for (const node of nodes) {
    const { call } = node.origin;
    if (call?.op !== "kl_div") continue;
    const own = calls.get(call.id) ?? [];
    calls.set(call.id, [...own, node]);
  }
  return oncePerLine(
    [...calls.values()].flatMap((own): Finding[] => {
      const call = own[0]?.origin.call;
      const given = operandsOf(own);
      const fault = given && faultOf(evidence, given);
      if (!call || !fault) return [];
      return [
        {
          code: "loss/divergence",
          severity: "error",
          message: fault.message,
          ...callPlace(call),
          evidence: { from: figure(fault.from), to: figure(fault.to) },
        },
      ];
    }),
  );
}

interface Operands {
  readonly input: Value;
  readonly target: Value;
  readonly isLogTarget: boolean;
}

/** y (ln y − x), or e^y (y − x): the last difference of the call has them. */
function operandsOf(nodes: readonly Node[]): Operands | null {
  const makers = new Map(
    nodes.flatMap((node) => node.outputs.map(({ id }) => [id, node] as const)),
  );
  const difference = nodes.findLast(({ op }) => op === "Sub");
  const [first, second] = difference?.inputs ?? [];
  const product = second && makers.get(second.id);
  const [target, input] = product?.op === "Mul" ? product.inputs : [first, second];
  return input && target ? { input, target, isLogTarget: product?.op !== "Mul" } : null;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function faultOf(evidence: Evidence, { input, target, isLogTarget }: Operands) {
  const [x, y] = [rangeOf(evidence, input), rangeOf(evidence, target)];
  const isOpposite = y !== null && y.to <= slack && y.from < -slack;
  if (x && x.to > slack) {
    const range = `${figure(x.from)} … ${figure(x.to)}`;
    const isShare = x.from >= 0 && x.to <= 1 + slack;
    if (isShare && isOpposite && !isLogTarget)
      return {
        message: `The arguments of kl_div are the wrong way round: the first has probabilities (${range}) and the second their logarithms. It takes log-probabilities of the model first, and the probabilities of the target second`,
        ...x,
      };
    const made = madeBefore(evidence, input).node?.origin.call;
    const by = made ? ` (${made.op}, line ${made.site.line})` : "";
    return {
      message: `kl_div takes logarithms of probabilities first, which are never above 0, and gets ${isShare ? "probabilities" : "numbers"} of ${range}${by}: ${isShare ? "their logarithm" : "log_softmax"} is missing`,
      ...x,
    };
  }
  if (y === null) return null;
  const range = `${figure(y.from)} … ${figure(y.to)}`;
  if (!isLogTarget && y.from < -slack)
    return {
      message: `kl_div takes probabilities second, and gets ${isOpposite ? "their logarithms" : "numbers"} of ${range}: ${isOpposite ? "log_target=True tells it so" : "softmax is missing"}`,
      ...y,
    };
  if (isLogTarget && y.to > slack)
    return {
      message: `With log_target=True kl_div takes logarithms of probabilities second, and gets numbers of ${range}`,
      ...y,
    };
  return null;
}

/** null: not measured. */
function rangeOf(evidence: Evidence, value: Value): Range | null {
  const { data } = value;
  if (data !== null && value.role !== "parameter") {
    const [from, to] = extremes(data);
    return { from, to };
  }
  const told = measuredAs(evidence, value)?.activation;
  if (!told || told.nan > 0) return null;
  const at = (num: Num): number => fromNum(num);
  return { from: told.negInf > 0 ? -Infinity : at(told.min), to: at(told.max) };
}

function extremes(data: Iterable<number | bigint>): [number, number] {
  let [from, to] = [Infinity, -Infinity];
  for (const number of data) {
    from = Math.min(from, Number(number));
    to = Math.max(to, Number(number));
  }
  return [from, to];
}
