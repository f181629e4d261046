/** The operands of an attention, computed on the host with made-up numbers in place of what linear maps give. */
import type { Node, Value } from "../graph/graph.ts";
import { isGraph } from "../graph/onnxProto.ts";
import { allocate, isFloat, isHalf, type Numbers, numel } from "../graph/tensor.ts";
import { createEmitter } from "../ops/emitter.ts";
import type { Normalised } from "./normalised.ts";
import { rerunAll } from "./rerun.ts";

/** Between the linear maps and the products. */
export interface OperandPath {
  readonly operand: Value;
  /** In execution order. */
  readonly nodes: readonly Node[];
  /** What linear maps gave. */
  readonly starts: readonly Value[];
  /** Parameters on the way: biases, gains. */
  readonly weights: readonly Value[];
  /** The model's inputs on the way, whose numbers are known. */
  readonly given: readonly Value[];
}

const nodeLimit = 400;
const elementLimit = 2 ** 18;

/** null: something else is on the way, an input of unknown numbers, or it is too large. */
export function pathTo(
  operand: Value,
  order: readonly Node[],
  makers: ReadonlyMap<number, Node>,
  found: Normalised,
): OperandPath | null {
  if (isHalf(operand.dtype)) return null;
  const nodes = new Set<Node>();
  const starts = new Map<number, Value>();
  const weights = new Map<number, Value>();
  const given = new Map<number, Value>();
  const open = [operand];
  const seen = new Set<number>();
  for (let value = open.pop(); value; value = open.pop()) {
    if (seen.has(value.id)) continue;
    seen.add(value.id);
    const node = makers.get(value.id);
    if (value.role === "parameter") weights.set(value.id, value);
    else if (value.role === "constant") continue;
    else if (value.role === "input") {
      if (value.data === null) return null;
      given.set(value.id, value);
    } else if (!node || numel(value.shape) > elementLimit) return null;
    else if (isMap(node, found)) starts.set(value.id, value);
    else {
      // A convolution gives rows at the borders of an image that differ from those within.
      if (["MatMul", "Gemm", "Conv"].includes(node.op) || nodes.size > nodeLimit) return null;
      if (Object.values(node.attrs).some(isGraph)) return null;
      nodes.add(node);
      open.push(...node.inputs.filter((input) => input !== null));
    }
  }
  if (starts.size === 0) return null;
  return {
    operand,
    nodes: order.filter((node) => nodes.has(node)),
    starts: [...starts.values()],
    weights: [...weights.values()],
    given: [...given.values()],
  };
}

const isMap = ({ op, inputs: [a, b] }: Node, found: Normalised): boolean =>
  (op === "MatMul" || op === "Gemm") && !!a && !!b && !found.isWeight(a) && found.isWeight(b);

/** What stands in a column of a row that a linear map gives; `map` is what the map gave. */
export type RowFill = (column: number, row: number, map: Value) => number;

/**
 * The operand's numbers where linear maps give what `fill` says, biases are 0 and
 * gains 1; null: not known.
 */
export function evaluateOperand(
  { operand, nodes, starts, weights, given }: OperandPath,
  fill: RowFill,
): Numbers | null {
  const emit = createEmitter({ foldsAll: true });
  emit.gradMode = false;
  const known = new Map<number, Value>();
  for (const value of starts) {
    const width = value.shape.at(-1) ?? 1;
    known.set(
      value.id,
      filled(value, (i) => fill(i % width, Math.floor(i / width), value)),
    );
  }
  const sums = nodes.filter(({ op }) => op === "Add" || op === "Sub");
  const norms = nodes.filter(({ op }) => op === "LayerNormalization");
  const added = new Set([
    ...sums.flatMap(({ inputs }) => inputs.map((value) => value?.id)),
    ...norms.map(({ inputs }) => inputs[2]?.id),
  ]);
  for (const value of weights)
    known.set(
      value.id,
      filled(value, () => (added.has(value.id) ? 0 : 1)),
    );
  for (const { id, shape, dtype, data } of given)
    if (data !== null) known.set(id, emit.constant({ shape, dtype, data }));
  return rerunAll(emit, nodes, known).get(operand.id)?.data ?? null;

  function filled({ shape, dtype }: Value, of: (at: number) => number): Value {
    const data = allocate(dtype, numel(shape));
    if (isFloat(dtype)) for (let i = 0; i < data.length; i++) data[i] = of(i);
    return emit.constant({ shape, dtype, data });
  }
}
