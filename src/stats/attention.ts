/** How each attention head spreads its weight. */
import type { Emit, Value } from "../graph/graph.ts";
import { type Numbers, numel, sameShape } from "../graph/tensor.ts";
import type { AttentionReport, Sight } from "../protocol/report.ts";
import type { TracedAttention } from "../trace/program.ts";
import type { MeasuredAttention } from "./measuredParts.ts";
import { toNum } from "./moments.ts";
import { widened } from "./reduce.ts";
import type { Probe } from "./weave.ts";

export type Heads = AttentionReport["heads"];

/** The first axis is the batch and what lies between it and the queries are heads, if there is more. */
export const headsOf = ({ weights, logits, scores }: TracedAttention): Probe<Heads> => ({
  needs: [weights, logits, ...(scores ? [scores] : [])],
  write: (emit) => writeHeads(emit, weights, logits, scores),
  read: ([information, sums, largest, heaviest]) =>
    readHeads(weights.shape, {
      information: information ?? none,
      sums: sums ?? none,
      largest: largest ?? none,
      heaviest: heaviest ?? null,
    }),
});

const none = new Float32Array(0);
const drop = { keepdims: 0 };

/** Of each row of weights. */
interface Rows {
  /** Σ p ln p, or Σ p ln (p / heaviest). */
  readonly information: Numbers;
  readonly sums: Numbers;
  /** The largest logit. */
  readonly largest: Numbers;
  /** The largest weight; null: `information` needs none. */
  readonly heaviest: Numbers | null;
}

/** What `Rows` has, in its order. Softmax makes ln (p / heaviest) the distance of two scores. */
function writeHeads(emit: Emit, weights: Value, logits: Value, scores: Value | null): Value[] {
  const p = widened(emit, weights);
  const last = emit.ints([p.shape.length - 1]);
  const largest = emit.op("ReduceMax", [widened(emit, logits), last], { keepdims: 1 });
  const logarithm = scores
    ? emit.op("Sub", [likeWeights(emit, scores, p), largest])
    : // p ln p → 0 for p → 0; the logarithm itself would make NaN of it.
      emit.op("Log", [emit.op("Max", [p, emit.scalar(1e-37, p.dtype)])]);
  return [
    emit.op("ReduceSum", [emit.op("Mul", [p, logarithm]), last], drop),
    emit.op("ReduceSum", [p, last], drop),
    largest,
    ...(scores ? [emit.op("ReduceMax", [p, last], drop)] : []),
  ];
}

/** The scores with the axes of the weights: those that a mask is put on can have the heads apart. */
function likeWeights(emit: Emit, scores: Value, { shape }: Value): Value {
  const wide = widened(emit, scores);
  return sameShape(wide.shape, shape) ? wide : emit.op("Reshape", [wide, emit.ints(shape)]);
}

function readHeads(shape: readonly number[], rows: Rows): Heads {
  const queries = shape.at(-2) ?? 1;
  const heads = numel(shape.slice(1, -2));
  const batch = shape.length < 3 ? 1 : (shape[0] ?? 1);
  return Array.from({ length: heads }, (_, head) => {
    const entropies: number[] = [];
    const own: number[] = [];
    let maskedRows = 0;
    let maxLogit = Number.NEGATIVE_INFINITY;
    for (let sample = 0; sample < batch; sample++) {
      const at = sample * heads + head;
      for (let row = at * queries; row < (at + 1) * queries; row++) {
        const largest = rows.largest[row] as number;
        maxLogit = Math.max(maxLogit, largest);
        if (largest === Number.NEGATIVE_INFINITY) maskedRows++;
        const entropy = entropyOf(rows, row);
        if (Number.isFinite(entropy)) entropies.push(entropy);
        own.push(rows.sums[row] as number);
      }
    }
    return {
      entropy: toNum(entropies.reduce((a, b) => a + b, 0) / entropies.length),
      maxLogit: toNum(maxLogit),
      minRowSum: toNum(own.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
      maxRowSum: toNum(own.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
      ...(maskedRows === 0 ? {} : { maskedRows }),
    };
  });
}

function entropyOf({ information, sums, heaviest }: Rows, row: number): number {
  const heavy = heaviest === null ? 1 : (heaviest[row] as number);
  // A row that the mask leaves nothing.
  if (heavy === 0) return 0;
  const entropy = -(information[row] as number) - Math.log(heavy) * (sums[row] as number);
  // All of the row is behind a finite mask: its weights are even, whatever its scores were.
  return entropy < -0.01 ? -Math.log(heavy) : entropy;
}

export interface Attended {
  readonly traced: MeasuredAttention;
  readonly heads: Heads;
  readonly sight: Sight | null;
}

/** `call` counts earlier attention of the same line. */
export function attentionReports(all: readonly Attended[]): AttentionReport[] {
  const earlier = new Map<string, number>();
  return all.map(({ traced, heads, sight }) => {
    const { module, site } = traced.call;
    const key = `${site.file}:${site.line}`;
    const call = earlier.get(key) ?? 0;
    earlier.set(key, call + 1);
    const { found } = traced;
    return {
      path: module,
      file: site.file,
      line: site.line,
      call,
      heads,
      ...(found && {
        softmaxOver: found.softmaxOver,
        scale: found.scale,
        headWidth: found.headWidth,
      }),
      ...(sight && { sees: sight }),
    };
  });
}
