/** The only cross-entropy of a model's loss: its logits, and the classes that it is to give. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { type Numbers, numel } from "../graph/tensor.ts";
import { numbersFrom } from "./hostNumbers.ts";
import { idsMadeBy } from "./producers.ts";
import type { Structure } from "./structure.ts";

export interface CrossEntropy {
  readonly node: Node;
  /** What the targets pick of: logits, or the rows of their log_softmax that are compared. */
  readonly logits: Value;
  readonly classes: number;
  /** What takes the targets: cross_entropy, or nll_loss, kl_div, gather, a product of log_softmax. */
  readonly call: TorchCall;
  /** Probabilities of all classes in the place of class numbers; null: none such. */
  readonly shares: Value | null;
}

/** null: none, or several. */
export function crossEntropyIn(structure: Structure): CrossEntropy | null {
  const made = structure.nodes.filter(({ op }) => op === "LogSoftmax");
  const whole = made.filter(({ origin }) => origin.call?.op !== "log_softmax");
  if (whole.length === 0) return onlyOf(made.flatMap((node) => picksOf(structure, node)));
  const [node] = whole;
  const [logits] = node?.inputs ?? [];
  const call = node?.origin.call;
  if (whole.length !== 1 || !node || !logits || !call) return null;
  const classes = logits.shape.at(axisOf(node)) ?? 1;
  const product = structure.nodes.find(
    ({ op, inputs, origin }) =>
      op === "Mul" && origin.call?.id === call.id && inputs[0]?.id === node.outputs[0]?.id,
  );
  const shares = product?.inputs[1] ?? null;
  return { node, logits, classes, call, shares: isAsLarge(shares, logits) ? shares : null };
}

const onlyOf = <T>(all: readonly T[]): T | null => (all.length === 1 ? (all[0] ?? null) : null);

const axisOf = ({ attrs }: Node): number => Number(attrs["axis"] ?? -1);

const isAsLarge = (value: Value | null, other: Value): boolean =>
  value !== null && numel(value.shape) === numel(other.shape);

const views: ReadonlySet<string> = new Set([
  ...["Reshape", "Transpose", "Squeeze", "Unsqueeze", "Identity", "Slice", "Cast"],
]);

/** What takes classes of the result of a log_softmax, whatever rows of it in whatever order. */
function picksOf({ producers }: Structure, node: Node): CrossEntropy[] {
  const [soft] = node.outputs;
  const classes = node.inputs[0]?.shape.at(axisOf(node));
  if (!soft || classes === undefined) return [];
  const found = new Map<number, CrossEntropy>();
  const open = [soft];
  for (let logits = open.pop(); logits; logits = open.pop())
    for (const reader of producers.readersOf(logits)) {
      const { call } = reader.origin;
      const other = reader.inputs.find((value) => value && value.id !== logits?.id) ?? null;
      if (views.has(reader.op)) open.push(...reader.outputs);
      else if (!call) continue;
      else if (reader.op === "GatherElements" && logits.shape.at(axisOf(reader)) === classes)
        found.set(call.id, { node, logits, classes, call, shares: null });
      else if (reader.op === "Mul" && isAsLarge(other, logits) && logits.shape.at(-1) === classes)
        found.set(call.id, { node, logits, classes, call, shares: other });
    }
  return [...found.values()];
}

/** The class numbers that the cross-entropy was given, one for each of its rows; null: none such. */
export function targetsOf(structure: Structure): Value | null {
  const entropy = crossEntropyIn(structure);
  if (!entropy) return null;
  const rows = numel(entropy.logits.shape) / entropy.classes;
  const own = structure.nodes.filter(({ origin }) => origin.call?.id === entropy.call.id);
  const made = idsMadeBy(own);
  const given = own.flatMap(({ inputs }) => inputs);
  return (
    given.find(
      (value) =>
        value !== null &&
        value.dtype === "int64" &&
        !made.has(value.id) &&
        rows > 1 &&
        numel(value.shape) === rows,
    ) ?? null
  );
}

/**
 * The class of each row of the cross-entropy, also where rows of one-hot numbers tell it; −1: the row has
 * none. null: not known before the step, or shares of several classes.
 */
export function targetNumbers(structure: Structure): Numbers | null {
  const { nodes, producers } = structure;
  const targets = targetsOf(structure);
  if (targets) return numbersFrom(targets, nodes, producers.makers);
  const entropy = crossEntropyIn(structure);
  const shares = entropy?.shares;
  const isLast = entropy?.logits.shape.at(-1) === entropy?.classes;
  const numbers = shares && isLast ? numbersFrom(shares, nodes, producers.makers) : null;
  return entropy && numbers ? largestOf(numbers, entropy.classes) : null;
}

/** Smoothed rows have more than half at one class. */
function largestOf(numbers: Numbers, classes: number): Numbers | null {
  const rows = numbers.length / classes;
  const found = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    const own = Array.from(numbers.slice(row * classes, (row + 1) * classes), Number);
    const most = Math.max(...own);
    const isNone = own.every((share) => share === 0);
    if (!isNone && most <= 0.5) return null;
    found[row] = isNone ? -1 : own.indexOf(most);
  }
  return found;
}
