/** Which token of the input each target of the loss is: measured by comparing them. */
import type { Value } from "../graph/graph.ts";
import { type Numbers, numel } from "../graph/tensor.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import type { CrossEntropy } from "../stats/targets.ts";
import type { Evidence } from "./evidence.ts";
import { crossEntropyOf } from "./initialLoss.ts";

export interface Alignment {
  readonly spread: ModelSpread;
  /** How many places behind the logits' own token the target stands: 1 for next-token prediction. */
  readonly offset: number;
  /** Whether targets are ordered by position and then by sample, and logits the other way. */
  readonly isTurned: boolean;
}

const offsets = [1, 0, 2, 3, -1, -2];
const fewest = 16;

/** null: the targets are no tokens of an input, or several offsets fit, or the script's loss is not known. */
export function alignmentOf(evidence: Evidence): Alignment | null {
  const entropy = crossEntropyOf(evidence);
  const call = entropy?.node.origin.call;
  if (!entropy || !call || call.site.file.startsWith("<")) return null;
  for (const spread of evidence.modelSpreads) {
    const { tokens, targets, size } = spread;
    const start = startOf(evidence, entropy, size);
    if (!tokens || !targets || start === null || targets.length % size[0] !== 0) continue;
    for (const isTurned of [false, true]) {
      const fitting = offsets.filter((offset) =>
        fits(tokens, targets, size, start + offset, isTurned),
      );
      const [offset] = fitting;
      if (offset !== undefined && fitting.length === 1) return { spread, offset, isTurned };
    }
  }
  return null;
}

/** The position of the first logits that the loss reads; null: not known. */
function startOf(
  { structure: { producers } }: Evidence,
  { logits, classes }: CrossEntropy,
  [a, b]: readonly [number, number],
): number | null {
  let start = 0;
  let value: Value = logits;
  for (let steps = 0; steps < 8; steps++) {
    const node = producers.makerOf(value);
    const [input] = node?.inputs ?? [];
    if (!node || !input) return null;
    if (node.op === "Slice" && input.shape.length >= 3) {
      const [starts, axes] = [node.inputs[1]?.data, node.inputs[3]?.data];
      if (!starts || !axes) return null;
      const at = [...axes].findIndex((axis) => Number(axis) === 1);
      const first = at === -1 ? 0 : Number(starts[at]);
      start += first < 0 ? first + (input.shape[1] ?? 0) : first;
    } else if (node.op !== "Cast") {
      return numel(value.shape) / classes === a * b ? start : null;
    }
    value = input;
  }
  return null;
}

function fits(
  tokens: Numbers,
  targets: Numbers,
  [a, b]: readonly [number, number],
  shift: number,
  isTurned: boolean,
): boolean {
  const places = targets.length / a;
  let compared = 0;
  for (let entry = 0; entry < a; entry++)
    for (let place = 0; place < places; place++) {
      const at = place + shift;
      if (at < 0 || at >= b) continue;
      const target = targets[isTurned ? place * a + entry : entry * places + place];
      if (target !== tokens[entry * b + at]) return false;
      compared++;
    }
  return compared >= fewest;
}
