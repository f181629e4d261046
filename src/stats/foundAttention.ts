/** Every softmax attention of a traced model, called as one function or written out. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { axesAfter, contractedAxes, labelAxes } from "./axisLabels.ts";
import type { Normalised } from "./normalised.ts";
import type { Producers } from "./producers.ts";

export interface FoundAttention {
  /** Of the softmax. */
  readonly call: TorchCall;
  /** [..., queries, keys] as they meet the values: after masks, before dropout (training). */
  readonly weights: Value;
  /** What softmax was applied to. */
  readonly logits: Value;
  /** The finite numbers that the logits are where no mask hides them; null: not known. */
  readonly scores: Value | null;
  /** Which axis softmax runs over: that which is summed with the values, or another one. */
  readonly softmaxOver: "keys" | "queries" | "both" | "other";
  /** Whether the weights are divided by a sum of theirs, after softmax (slot attention). */
  readonly isDivided: boolean;
  /** Sizes of the axis that softmax runs over, and of that which is summed. */
  readonly softmaxSize: number;
  readonly keys: number;
  /** The axis of softmax's operand that is summed, from the end: -1; null: not known. */
  readonly keysAxis: number | null;
  /** What the products of queries and keys are multiplied by; null: by something learned. */
  readonly scale: number | null;
  /** How many constant factors below one make up the scale. */
  readonly factors: number;
  /** How many numbers of a query meet those of a key. */
  readonly headWidth: number;
  readonly heads: number;
  /** Whether queries or keys are normalised: their product needs no scale. */
  readonly isNormed: boolean;
  /** The operands of the two products. */
  readonly operands: readonly Value[];
  /** The product of queries and keys. */
  readonly product: Node;
  /** The product with the values. */
  readonly mixing: Node;
  /** What is done to the scores between their product and softmax, with what, the last first. */
  readonly treatments: readonly Treatment[];
}

export interface Treatment {
  readonly node: Node;
  /** The operand that holds the scores. */
  readonly scores: Value;
}

const transparent = new Set([
  ...["Mul", "Div", "Add", "Sub", "Where", "Cast", "Identity", "Reshape", "Transpose"],
  ...["Squeeze", "Unsqueeze", "Expand", "Clip", "Tanh", "Slice", "Max"],
]);

export function findAttention(
  nodes: readonly Node[],
  found: Normalised,
  producers: Producers,
  mode: "eval" | "train",
): FoundAttention[] {
  return nodes.flatMap((node) => {
    if (node.op !== "Softmax") return [];
    const { call } = node.origin;
    const made = call === null ? null : attentionOf(node, found, producers, mode);
    return made === null || call === null ? [] : [{ call, ...made }];
  });
}

function attentionOf(
  softmax: Node,
  found: Normalised,
  producers: Producers,
  mode: "eval" | "train",
) {
  const [logits, soft] = [softmax.inputs[0], softmax.outputs[0]];
  if (!logits || !soft) return null;
  const scored = backToProduct(logits, found, producers);
  const mixed = forwardToProduct(soft, found, producers, mode);
  if (scored === null || mixed === null) return null;
  const rank = soft.shape.length;
  const axis = Number(softmax.attrs["axis"] ?? -1);
  const at = axis < 0 ? axis + rank : axis;
  const labels = axesAfter(labelAxes(rank), mixed.path);
  const summed = contractedAxes(mixed.node, mixed.operand);
  const contracted = labels[summed.own + labels.length] ?? null;
  const free = labels[summed.free + labels.length] ?? null;
  const { query, factors } = scored;
  const headWidth = query.shape[contractedAxes(scored.node, 0).own + query.shape.length] ?? 1;
  const together = bothAxes(scored.node, mixed.node.inputs[mixed.operand] ?? null, soft.shape[at]);
  const keys = together ?? soft.shape[contracted ?? rank - 1] ?? 1;
  const heads = soft.shape.slice(1, -2).reduce((product, size) => product * size, 1);
  const over =
    contracted === null || at === contracted ? "keys" : at === free ? "queries" : "other";
  const isWhole = over === "keys" && mixed.weights === soft && at === rank - 1;
  return {
    weights: rowsOverKeys(soft, mixed, contracted),
    logits,
    scores: isWhole ? scored.scores : null,
    softmaxOver: (together === null ? over : "both") as FoundAttention["softmaxOver"],
    isDivided: mixed.path.some(
      ({ op, inputs: [, by] }) => op === "Div" && !!by && producers.makerOf(by)?.op === "ReduceSum",
    ),
    softmaxSize: soft.shape[at] ?? 1,
    keys,
    keysAxis: contracted === null ? null : contracted - rank,
    ...scaleOf(factors),
    headWidth,
    heads,
    isNormed: scored.isNormed,
    operands: [...scored.node.inputs, mixed.values].filter((value) => value !== null),
    product: scored.node,
    mixing: mixed.node,
    treatments: scored.treatments,
  };
}

/** How many keys there are where softmax runs over the pairs of them and the queries; null: it does not. */
function bothAxes(product: Node, weights: Value | null, size = 1): number | null {
  const [queries = 1, keys = 1] = product.outputs[0]?.shape.slice(-2) ?? [];
  const [rows, columns] = weights?.shape.slice(-2) ?? [];
  const isPairs = rows === queries && columns === keys && queries > 1 && keys > 1;
  return isPairs && size === queries * keys ? keys : null;
}

/** The last of the weights that have the summed axis at their end: some are turned for the product. */
function rowsOverKeys(
  soft: Value,
  { weights, path }: { readonly weights: Value; readonly path: readonly Node[] },
  contracted: number | null,
): Value {
  const rank = soft.shape.length;
  const made = [soft, ...path.flatMap(({ outputs }) => outputs.slice(0, 1))];
  const until = made.indexOf(weights);
  const fit = made.slice(0, until + 1).findLast((_, steps) => {
    const labels = axesAfter(labelAxes(rank), path.slice(0, steps));
    return labels.at(-1) === contracted;
  });
  return contracted === null ? weights : (fit ?? weights);
}

const products = new Set(["MatMul", "Gemm"]);

/** A product of two values, neither of which is a weight. */
const meets = ({ op, inputs: [a, b] }: Node, found: Normalised): boolean =>
  products.has(op) && !!a && !!b && !found.isWeight(a) && !found.isWeight(b) && isMade(a, b);

const isMade = (...values: readonly Value[]): boolean =>
  values.every(({ role }) => role === "node" || role === "input");

interface Factors {
  readonly constant: readonly number[];
  readonly isLearned: boolean;
}

function scaleOf({ constant, isLearned }: Factors) {
  const scale = isLearned ? null : constant.reduce((product, factor) => product * factor, 1);
  return { scale, factors: constant.filter((factor) => factor < 0.999).length };
}

/** From the logits to queries · keys, through masks and scales. */
function backToProduct(logits: Value, found: Normalised, producers: Producers) {
  const constant: number[] = [];
  const treatments: Treatment[] = [];
  let isLearned = false;
  let scores: Value | null = logits;
  // Whether what was passed so far leaves each number what and where it is.
  let isSame = true;
  let value = logits;
  for (let steps = 0; steps < 32; steps++) {
    const node = producers.makerOf(value);
    if (node === null) return null;
    if (meets(node, found)) {
      const [query, key] = node.inputs as readonly Value[];
      if (!query || !key) return null;
      const sides = [query, key].map((side) => backToSource(side, found, producers));
      const factors = {
        constant: [...constant, ...sides.flatMap((side) => side.constant)],
        isLearned: isLearned || sides.some((side) => side.isLearned),
      };
      const isNormed = sides.some((side) => side.isNormed);
      return { node, query, scores, factors, isNormed, treatments };
    }
    if (!transparent.has(node.op)) return null;
    const next = node.inputs.filter(
      (input): input is Value => input !== null && leadsToProduct(input, found, producers, 16),
    );
    const [only] = next;
    if (!only || next.length > 1) return null;
    treatments.push({ node, scores: only });
    const other = node.inputs.find((input) => input !== only && input !== null);
    if (node.op === "Mul" || node.op === "Div") {
      const factor = factorOf(node, other ?? null);
      if (factor === null) isLearned = true;
      else constant.push(factor);
    }
    if (node.op === "Where") {
      scores = isSame && numel(only.shape) === numel(logits.shape) ? only : null;
    }
    if (node.op === "Add" && other) scores = null;
    if (node.op !== "Where" && !sameNumbers.has(node.op)) isSame = false;
    value = only;
  }
  return null;
}

/** Operators whose result holds the numbers of what they take in the same order. */
const sameNumbers = new Set(["Reshape", "Squeeze", "Unsqueeze", "Cast", "Identity"]);

/** null: not a number that is known. */
function factorOf({ op }: Node, other: Value | null): number | null {
  const data = other?.data;
  const first = data?.[0];
  if (!data || first === undefined || other.role === "parameter") return null;
  if (!data.every((x) => x === first)) return 1;
  return op === "Div" ? 1 / first : first;
}

function leadsToProduct(
  value: Value,
  found: Normalised,
  producers: Producers,
  steps: number,
): boolean {
  const node = producers.makerOf(value);
  if (node === null || steps === 0) return false;
  if (meets(node, found)) return true;
  if (!transparent.has(node.op)) return false;
  return node.inputs.some(
    (input) => input !== null && leadsToProduct(input, found, producers, steps - 1),
  );
}

/** Constant factors between a linear map and the product, and whether a norm is on the way. */
function backToSource(side: Value, found: Normalised, producers: Producers) {
  const constant: number[] = [];
  let isLearned = false;
  let value = side;
  for (let steps = 0; steps < 16; steps++) {
    if (found.normOf(found.idOf(value)) !== null) return { constant, isLearned, isNormed: true };
    const node = producers.makerOf(value);
    if (node?.op === "Cast" && node.inputs[0]) {
      value = node.inputs[0];
      continue;
    }
    const turned = node === null ? null : beforeRotation(node, found, producers);
    if (turned !== null) {
      value = turned;
      continue;
    }
    if (node === null || (node.op !== "Mul" && node.op !== "Div")) break;
    const [a, b] = node.inputs;
    const [next, other] = a && !found.isWeight(a) ? [a, b] : [b, a];
    if (!next || !other || !found.isWeight(other)) break;
    const factor = factorOf(node, other);
    if (factor === null) isLearned = true;
    else constant.push(factor);
    value = next;
  }
  return { constant, isLearned, isNormed: false };
}

/** `x` of `x * cos + turned(x) * sin`, whose tables are constants; null: something else. */
function beforeRotation(node: Node, found: Normalised, producers: Producers): Value | null {
  if (node.op !== "Add") return null;
  const isTable = (value: Value) => value.role === "constant" || found.isWeight(value);
  const [plain, turned] = node.inputs.map((input) => {
    const made = input && producers.makerOf(input);
    const [a, b] = made?.op === "Mul" ? made.inputs : [];
    if (!a || !b || isTable(a) === isTable(b)) return null;
    return isTable(a) ? b : a;
  });
  return turned ? (plain ?? null) : null;
}

/** From softmax to its product with the values. */
function forwardToProduct(
  soft: Value,
  found: Normalised,
  producers: Producers,
  mode: "eval" | "train",
) {
  let value = soft;
  let weights = soft;
  let isDropped = false;
  const path: Node[] = [];
  for (let steps = 0; steps < 16; steps++) {
    const readers = producers
      .readersOf(value)
      .filter(({ origin }) => origin.direction === "forward");
    const product = readers.find((node) => meets(node, found));
    if (product) {
      const operand = product.inputs.indexOf(value);
      const values = product.inputs[1 - operand];
      return values ? { node: product, operand, values, weights, path } : null;
    }
    const next: Node | undefined = readers.find(({ op }) => transparent.has(op));
    const output = next?.outputs[0];
    if (!next || !output) return null;
    if (mode === "train" && next.op === "Mul") isDropped = true;
    path.push(next);
    value = output;
    if (!isDropped && output.shape.length >= 2) weights = output;
  }
  return null;
}
