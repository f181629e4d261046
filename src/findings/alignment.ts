/** Which token of the input each target of the loss is: measured by comparing them. */
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import type { CrossEntropy } from "../stats/targets.ts";
import type { Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

export interface Alignment {
  readonly spread: ModelSpread;
  /** The axis of the input along which targets are shifted. */
  readonly positions: 0 | 1;
  /** How many places behind the logits' own token the target stands: 1 for next-token prediction. */
  readonly offset: number;
  /** Targets that are tokens of the other end of their sample, as `roll` gives them. */
  readonly rolled: number;
  /** Whether targets and logits are flattened in different orders: by position, and by sample. */
  readonly isTurned: boolean;
}

const offsets = [1, 0, 2, 3, -1, -2];
const fewest = 16;
const layouts = [
  { positions: 1, isTurned: false },
  { positions: 0, isTurned: false },
  { positions: 1, isTurned: true },
  { positions: 0, isTurned: true },
] as const;

/** null: the targets are no tokens of an input, or several offsets fit, or the script's loss is not known. */
export function alignmentOf(evidence: Evidence): Alignment | null {
  const entropy = entropyInLoss(evidence);
  const call = entropy?.call;
  if (!entropy || !call || call.site.file.startsWith("<")) return null;
  // What the model only compares its result with is no input of it.
  const read = evidence.modelSpreads.filter(
    ({ input, result }) =>
      result?.own === true &&
      idsMadeBy(dependents(evidence.structure.nodes, input.value)).has(entropy.logits.id),
  );
  for (const spread of read)
    for (const layout of layouts) {
      const start = startOf(evidence, entropy, spread, layout.positions);
      if (start === null) continue;
      const fitting = offsets.flatMap((offset) => {
        const rolled = rolledBy(spread, start + offset, layout);
        return rolled === null ? [] : [{ offset, rolled }];
      });
      const [first] = fitting;
      if (first && fitting.length === 1) return { spread, ...first, ...layout };
    }
  return null;
}

/** The position of the first logits that the loss reads; null: not known. */
function startOf(
  { structure: { producers } }: Evidence,
  { logits, classes }: CrossEntropy,
  { input: { value: tokens }, size: [a, b] }: ModelSpread,
  positions: 0 | 1,
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
      const at = [...axes].findIndex((axis) => Number(axis) === positions);
      const first = at === -1 ? 0 : Number(starts[at]);
      start += first < 0 ? first + (input.shape[positions] ?? 0) : first;
    } else if (node.op !== "Cast" && node.op !== "LogSoftmax") {
      const rows = numel(value.shape) / classes;
      const first = rows === a * b ? 0 : partRead(producers, tokens, rows, positions);
      return first === null ? null : start + first;
    }
    value = input;
  }
  return null;
}

/** Where the part of the tokens begins that a table's rows are taken of: `idx[:, :-1]`; null: no such part. */
function partRead(
  { readersOf }: Evidence["structure"]["producers"],
  tokens: Value,
  rows: number,
  positions: 0 | 1,
): number | null {
  const parts = readersOf(tokens).flatMap(({ op, inputs: [, starts, , axes], outputs: [part] }) => {
    if (op !== "Slice" || !part || numel(part.shape) !== rows) return [];
    if (axes?.data?.length !== 1 || Number(axes.data[0]) !== positions) return [];
    const isRead = readersOf(part).some(({ op, inputs }) => op === "Gather" && inputs[1] === part);
    const first = Number(starts?.data?.[0]);
    return isRead ? [first < 0 ? first + (tokens.shape[positions] ?? 0) : first] : [];
  });
  return parts.length === 1 ? (parts[0] ?? null) : null;
}

/**
 * null: the targets are no tokens so far behind. Else how many stand beyond the end and are those of
 * the other one; 0 where only some of them are.
 */
function rolledBy(
  { tokens, targets, size: [a, b] }: ModelSpread,
  shift: number,
  { positions, isTurned }: (typeof layouts)[number],
): number | null {
  const [samples, length] = positions === 1 ? [a, b] : [b, a];
  if (!tokens || !targets || targets.length % samples !== 0) return null;
  const places = targets.length / samples;
  const isBySample = (positions === 1) !== isTurned;
  let compared = 0;
  const beyond: boolean[] = [];
  for (let sample = 0; sample < samples; sample++)
    for (let place = 0; place < places; place++) {
      const at = place + shift;
      const within = (at + length) % length;
      const target = targets[isBySample ? sample * places + place : place * samples + sample];
      const isToken =
        target === tokens[positions === 1 ? sample * b + within : within * b + sample];
      if (at < 0 || at >= length) beyond.push(isToken);
      else if (isToken) compared++;
      else return null;
    }
  if (compared < fewest) return null;
  return beyond.every(Boolean) ? beyond.length : 0;
}
