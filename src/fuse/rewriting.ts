/** What the rules of this folder ask of a graph, and values of nodes that they write themselves. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { usersIn } from "../graph/prune.ts";
import { numel, sameShape, type TensorType } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";

/** A kernel that is ONNX Runtime's own: its operator with the domain. */
export const own = (op: string): string => `com.microsoft.${op}`;

export interface Uses {
  makerOf(value: Value | null | undefined): Node | null;
  usersOf(value: Value): readonly Node[];
  /** The only node that reads a value which no output needs; null: there are several, or none. */
  onlyUserOf(value: Value): Node | null;
  isOutput(value: Value): boolean;
  isBefore(first: Node, second: Node): boolean;
}

export function usesOf({ nodes, outputs }: Graph): Uses {
  const makers = new Map<Value, Node>();
  for (const node of nodes) for (const value of node.outputs) makers.set(value, node);
  const users = usersIn(nodes);
  const kept = new Set(outputs);
  const places = new Map(nodes.map((node, at) => [node, at]));
  const placeOf = (node: Node): number => places.get(node) ?? 0;
  return {
    makerOf: (value) => (value ? (makers.get(value) ?? null) : null),
    usersOf: (value) => users.get(value) ?? [],
    onlyUserOf(value) {
      const [first, second] = users.get(value) ?? [];
      return first && !second && !kept.has(value) ? first : null;
    },
    isOutput: (value) => kept.has(value),
    isBefore: (first, second) => placeOf(first) < placeOf(second),
  };
}

/** A value that a node makes which is written by hand. */
export const made = (emit: Emitter, type: TensorType): Value => ({
  ...emit.input(type, { role: "input", name: null, requiresGrad: false, data: null }),
  role: "node",
});

/** What `write` emits, without leaving it in the emitter. */
export function written(emit: Emitter, origin: Node["origin"], write: () => void): Node[] {
  const before = emit.nodes.length;
  const outer = emit.origin;
  emit.origin = { ...origin, group: null };
  write();
  emit.origin = outer;
  return emit.nodes.splice(before);
}

export interface Scaled {
  readonly of: Value;
  readonly factor: number;
}

/** x times or by one known number. */
export function scaled(node: Node | null): Scaled | null {
  const [a, b] = node?.inputs ?? [];
  const [y] = node?.outputs ?? [];
  if (!node || !a || !b || !y || (node.op !== "Mul" && node.op !== "Div")) return null;
  const ofFirst = numberOf(b);
  if (ofFirst !== null && sameShape(a.shape, y.shape))
    return { of: a, factor: node.op === "Mul" ? ofFirst : 1 / ofFirst };
  const ofSecond = node.op === "Mul" ? numberOf(a) : null;
  return ofSecond !== null && sameShape(b.shape, y.shape) ? { of: b, factor: ofSecond } : null;
}

function numberOf({ role, dtype, shape, data }: Value): number | null {
  const isNumber = role === "constant" && dtype === "float32" && numel(shape) === 1;
  const number = isNumber ? (data?.[0] ?? null) : null;
  return number !== null && Number.isFinite(number) && number !== 0 ? number : null;
}

/** A value with its axes in another order. */
export interface Turned {
  readonly source: Value;
  readonly perm: readonly number[];
}

export function turned(node: Node | null): Turned | null {
  const [source] = node?.inputs ?? [];
  const perm = node?.op === "Transpose" ? node.attrs["perm"] : null;
  return source && Array.isArray(perm) ? { source, perm } : null;
}

/** Through all transposes that are one behind the other. */
export function turnedThrough(uses: Pick<Uses, "makerOf">, value: Value): Turned {
  const last = turned(uses.makerOf(value));
  if (last === null) return { source: value, perm: value.shape.map((_, axis) => axis) };
  const { source, perm } = turnedThrough(uses, last.source);
  return { source, perm: last.perm.map((axis) => perm[axis] as number) };
}

export const isIdentity = (perm: readonly number[]): boolean =>
  perm.every((from, to) => from === to);

export const keepsLast = (perm: readonly number[]): boolean => perm.at(-1) === perm.length - 1;
