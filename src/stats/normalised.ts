/** Finds what is a normalised version of what, by the arithmetic alone: no name is looked at. */
import type { Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { SourceOf } from "./sources.ts";

export interface Normalised {
  /** The value that stands for all with the same numbers. */
  idOf(value: Value): number;
  /** Of which value this is the normalised version, up to gains and biases; null: of none. */
  normOf(id: number): number | null;
  /** Of which value this is a multiple by weights or constants, or a centred version; else itself. */
  baseOf(id: number): number;
  /** Of which value this is a statistic per row (a mean, a root of one); null: of none. */
  statisticOf(id: number): number | null;
  /** A parameter, a constant vector, or a vector computed from such alone. */
  isWeight(value: Value): boolean;
}

const normOps = new Set([
  "LayerNormalization",
  "RMSNormalization",
  "GroupNormalization",
  "InstanceNormalization",
  "BatchNormalization",
  "LpNormalization",
]);
/**
 * Torch calls whose result is a norm of their first argument however they are written: with running
 * moments, batch_norm divides by what is no reduction of its input.
 */
export const normCalls: ReadonlyMap<string, string> = new Map([
  ["batch_norm", "BatchNorm"],
  ["group_norm", "GroupNorm"],
  ["instance_norm", "InstanceNorm"],
]);

const reductions = new Set(["ReduceMean", "ReduceSum", "ReduceL2", "ReduceSumSquare", "ReduceL1"]);
const squares = new Set(["ReduceL2", "ReduceSumSquare"]);

/** The same for all rows. What is not may be the model's input, or made of it. */
const isVector = ({ shape }: Value): boolean => shape.slice(0, -1).every((size) => size === 1);

/**
 * y = (x − mean) / spread · gain + bias, where mean and spread are reductions of x: written out, or
 * as an operator. Nodes in execution order.
 */
export function findNormalised(nodes: readonly Node[], sourceOf: SourceOf): Normalised {
  const idOf = (value: Value): number => sourceOf(value).value.id;
  const norms = new Map<number, number>();
  const bases = new Map<number, number>();
  const squared = new Map<number, number>();
  /** A number per row: of which value, by reduction and functions of the result. */
  const statistics = new Map<number, number>();
  const weights = new Set<number>();
  const isWeight = (value: Value): boolean =>
    value.role === "parameter" ||
    (value.role === "constant" && isVector(value)) ||
    weights.has(idOf(value));
  const baseOf = (id: number): number => bases.get(id) ?? id;

  /** The argument of each call of `normCalls` that is running or over. */
  const normed = new Map<number, Value>();

  for (const node of nodes) {
    const [output] = node.outputs;
    const given = node.inputs.filter((value) => value !== null);
    const [a, b] = given;
    if (!output || !a) continue;
    const out = idOf(output);
    if (out !== output.id) continue;
    if (given.every(isWeight) && isVector(output)) weights.add(out);
    else if (isNormed(node, given, output)) continue;
    else if (normOps.has(node.op)) norms.set(out, baseOf(idOf(a)));
    else if (reductions.has(node.op)) reduce(node.op, idOf(a), out);
    else if (b === undefined || isWeight(b)) keep(node, idOf(a), out, b ?? null);
    else if (isWeight(a)) keep(node, idOf(b), out, a);
    else combine(node.op, idOf(a), idOf(b), out);
  }
  const normOf = (id: number): number | null => norms.get(id) ?? null;
  const statisticOf = (id: number): number | null => statistics.get(id) ?? null;
  return { idOf, normOf, baseOf, statisticOf, isWeight };

  /** Whether the node is of such a call; all of it that is as large as the argument is its norm. */
  function isNormed({ origin: { call } }: Node, given: readonly Value[], output: Value): boolean {
    if (call === null || !normCalls.has(call.op)) return false;
    const argument = normed.get(call.id) ?? given.find((value) => !isWeight(value));
    if (argument === undefined) return false;
    normed.set(call.id, argument);
    if (numel(argument.shape) === numel(output.shape))
      norms.set(idOf(output), baseOf(idOf(argument)));
    return true;
  }

  function reduce(op: string, of: number, out: number) {
    const square = squared.get(of);
    statistics.set(out, square ?? statistics.get(of) ?? baseOf(of));
    if (square === undefined && squares.has(op)) statistics.set(out, baseOf(of));
  }

  /** A function of one value, or of one value and weights. */
  function keep({ op }: Node, of: number, out: number, weight: Value | null) {
    const [norm, statistic, square] = [norms.get(of), statistics.get(of), squared.get(of)];
    const isLinear = ["Mul", "Div", "Add", "Sub", "Cast", "Neg"].includes(op);
    const isFactor = isLinear && op !== "Add" && op !== "Sub";
    if (isFactor) bases.set(out, baseOf(of));
    if (statistic !== undefined) statistics.set(out, statistic);
    else if (op === "Pow" && weight?.data?.[0] === 2) squared.set(out, baseOf(of));
    else if (norm !== undefined && isLinear) norms.set(out, norm);
    else if (square !== undefined && isFactor) squared.set(out, square);
  }

  function combine(op: string, a: number, b: number, out: number) {
    const [ofA, ofB] = [statistics.get(a), statistics.get(b)];
    if (ofA !== undefined && ofA === ofB) statistics.set(out, ofA);
    else if (op === "Mul" && a === b) squared.set(out, baseOf(a));
    else if (op === "Sub" && ofB === baseOf(a)) bases.set(out, baseOf(a));
    else if ((op === "Mul" || op === "Div") && ofB === baseOf(a)) norms.set(out, baseOf(a));
    else if (op === "Mul" && ofA === baseOf(b)) norms.set(out, baseOf(b));
  }
}
