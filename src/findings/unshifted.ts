/** A causal model whose targets are its own inputs: each position predicts the token that it sees. */
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { comesThrough } from "../stats/linearPath.ts";
import { dependents } from "../stats/rerun.ts";
import type { CrossEntropy } from "../stats/targets.ts";
import { type Alignment, alignmentOf } from "./alignment.ts";
import { counted, type Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

const fewestTokens = 8;

export function unshifted(evidence: Evidence): Finding[] {
  const { program, report, structure } = evidence;
  const entropy = entropyInLoss(evidence);
  const maps = report.attention.flatMap(({ sees }) => sees ?? []);
  const alignment = alignmentOf(evidence);
  const change = alignment?.positions === 1 ? alignment.spread.result : null;
  // An encoder beside it may see all: what counts is how the result follows from this input.
  const isCausal =
    (maps.length > 0 && maps.every(({ past, self, future }) => past && self && !future)) ||
    (change?.own === true && change.before === 0 && (change.after ?? 0) > 0);
  const call = entropy?.call;
  if (!entropy || !call) return [];
  if (!isCausal) return copiedByEncoder(evidence, entropy, alignment);
  const given = structure.nodes
    .filter(({ origin }) => origin.call?.id === call.id)
    .flatMap(({ inputs }) => inputs)
    .filter((value) => value !== null);
  const whole = program.inputs.find(({ value, dtype }) => {
    if (dtype !== "int64" || numel(value.shape) < fewestTokens || !isAttended(value)) return false;
    return given.some((one) => isSame(one, value));
  });
  const isPart = alignment?.offset === 0 && !alignment.isTurned;
  const copied = whole ?? (isPart ? alignment.spread.input : null);
  if (!copied) return [];
  const tokens = whole ? numel(copied.value.shape) : numel(entropy.logits.shape) / entropy.classes;
  return [
    {
      code: "loss/unshifted",
      severity: "warning",
      message: `The targets are ${whole ? "" : "a part of "}the input '${copied.name}' itself, ${counted(tokens, "token")} in the same places: each position of a causal model sees the token that it is to predict, and copying brings the loss to 0. The targets of next-token prediction are one place ahead`,
      file: call.site.file.startsWith("<") ? null : call.site.file,
      line: call.site.file.startsWith("<") ? null : call.site.line,
      module: call.module,
      evidence: { input: copied.name, tokens },
    },
  ];

  /** What the model only compares its result with is no input of it. */
  function isAttended(input: Value): boolean {
    const operands = new Set(
      structure.attention.flatMap(({ operands }) => operands.map(({ id }) => id)),
    );
    return dependents(structure.nodes, input).some(({ outputs }) =>
      outputs.some(({ id }) => operands.has(id)),
    );
  }

  /** The same value under another shape, or the same numbers, not all alike. */
  function isSame(one: Value, input: Value): boolean {
    if (structure.sourceOf(one).value.id === structure.sourceOf(input).value.id) return true;
    const [a, b] = [one.data, input.data];
    if (!a || !b || a.length !== b.length || one.dtype !== input.dtype) return false;
    return a.some((x) => x !== a[0]) && a.every((x, i) => x === b[i]);
  }
}

/**
 * Attention to both sides, and each token on a way of sums and linear maps to its own logits: the
 * identity is what the loss asks for. Where all that is known of a token went through attention or
 * a mean, as behind a bottleneck, it is not.
 */
function copiedByEncoder(
  { structure }: Evidence,
  { logits, call }: CrossEntropy,
  alignment: Alignment | null,
): Finding[] {
  const { result, input } = alignment?.spread ?? {};
  if (!input || !result?.own || !result.before || !result.after) return [];
  if (alignment?.offset !== 0 || alignment.isTurned || call.site.file.startsWith("<")) return [];
  const { nodes, attention, found, producers } = structure;
  const [rows] = producers
    .readersOf(input.value)
    .flatMap(({ op, outputs }) => (op === "Gather" ? outputs : []));
  const past = {
    mixing: new Set(attention.map(({ mixing }) => mixing)),
    throughActivations: false,
  };
  if (!rows || attention.length === 0 || !comesThrough(nodes, rows, logits, found, past)) return [];
  const tokens = numel(input.value.shape);
  return [
    {
      code: "loss/unshifted",
      severity: "warning",
      message: `The targets are the input '${input.name}' itself, ${counted(tokens, "token")} in the same places, and each position has its own token on the way to its logits: copying brings the loss to 0. An encoder is asked for tokens that were masked in its input`,
      file: call.site.file,
      line: call.site.line,
      module: call.module,
      evidence: { input: input.name, tokens },
    },
  ];
}
