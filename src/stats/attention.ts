/** How each attention head spreads its weight. */
import type { Emit, Value } from "../graph/graph.ts";
import { type Numbers, numel } from "../graph/tensor.ts";
import type { AttentionReport } from "../protocol/report.ts";
import type { TracedAttention } from "../trace/program.ts";
import { toNum } from "./moments.ts";
import { widened } from "./reduce.ts";
import type { Probe } from "./weave.ts";

export type Heads = AttentionReport["heads"];

/** The first axis is the batch and what lies between it and the queries are heads, if there is more. */
export const headsOf = ({ weights, logits }: TracedAttention): Probe<Heads> => ({
  needs: [weights, logits],
  write: (emit) => writeHeads(emit, weights, logits),
  read: ([entropies, sums, largest]) =>
    readHeads(weights.shape, entropies ?? none, sums ?? none, largest ?? none),
});

const none = new Float32Array(0);
const drop = { keepdims: 0 };

/** −Σ p ln p and Σ p of each row, and the largest logit of each head. */
function writeHeads(emit: Emit, weights: Value, logits: Value): Value[] {
  const p = widened(emit, weights);
  const rank = p.shape.length;
  const last = emit.ints([rank - 1]);
  // p ln p → 0 for p → 0; the logarithm itself would make NaN of it.
  const positive = emit.op("Max", [p, emit.scalar(1e-37, p.dtype)]);
  const information = emit.op("Mul", [p, emit.op("Log", [positive])]);
  return [
    emit.op("ReduceSum", [information, last], drop),
    emit.op("ReduceSum", [p, last], drop),
    emit.op("ReduceMax", [widened(emit, logits), emit.ints([rank - 2, rank - 1])], drop),
  ];
}

function readHeads(
  shape: readonly number[],
  information: Numbers,
  sums: Numbers,
  largest: Numbers,
): Heads {
  const queries = shape.at(-2) ?? 1;
  const heads = numel(shape.slice(1, -2));
  const batch = shape.length < 3 ? 1 : (shape[0] ?? 1);
  return Array.from({ length: heads }, (_, head) => {
    const entropies: number[] = [];
    const own: number[] = [];
    let maxLogit = Number.NEGATIVE_INFINITY;
    for (let sample = 0; sample < batch; sample++) {
      const at = sample * heads + head;
      maxLogit = Math.max(maxLogit, largest[at] as number);
      for (let row = at * queries; row < (at + 1) * queries; row++) {
        const entropy = -(information[row] as number);
        if (Number.isFinite(entropy)) entropies.push(entropy);
        own.push(sums[row] as number);
      }
    }
    return {
      entropy: toNum(entropies.reduce((a, b) => a + b, 0) / entropies.length),
      maxLogit: toNum(maxLogit),
      minRowSum: toNum(own.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
      maxRowSum: toNum(own.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    };
  });
}

/** `call` counts earlier attention of the same line. */
export function attentionReports(
  all: readonly { readonly traced: TracedAttention; readonly heads: Heads }[],
): AttentionReport[] {
  const earlier = new Map<string, number>();
  return all.map(({ traced, heads }) => {
    const { module, site } = traced.call;
    const key = `${site.file}:${site.line}`;
    const call = earlier.get(key) ?? 0;
    earlier.set(key, call + 1);
    return { path: module, file: site.file, line: site.line, call, heads };
  });
}
