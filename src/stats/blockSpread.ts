/** What one position of one sample of a block's input changes in its output: a small graph of its own. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { prune, valuesUsedBy } from "../graph/prune.ts";
import { isFloat, isHalf, type Numbers, numel, sameShape } from "../graph/tensor.ts";
import { createEmitter } from "../ops/emitter.ts";
import type { Block } from "./blocks.ts";
import type { Results } from "./readings.ts";
import { dependents, rerun } from "./rerun.ts";
import type { Structure } from "./structure.ts";

export interface BlockSpread {
  readonly block: Block;
  readonly samples: number;
  readonly batch: number;
  readonly earlier: number;
  readonly positions: number;
}

export interface SpreadPlan {
  readonly graph: Graph;
  read(results: Results): BlockSpread[];
}

/** More nodes than this cost more than the question is worth. */
const nodeLimit = 600;
const elementLimit = 2 ** 20;

/**
 * One block of each kind is run twice on made-up numbers, the second time with one row of them
 * changed. Looked at are blocks of which it is known which axis has the positions: something that
 * differs along it and is the same for all samples is added in front of the block. null: none.
 */
export function planSpread(structure: Structure, inputs: readonly Value[]): SpreadPlan | null {
  const emit = createEmitter({ mayFold: () => false });
  emit.gradMode = false;
  const asked: { block: Block; output: Value; axis: number }[] = [];
  const kinds = new Set<string>();
  const pushed = new Set<Node>();
  for (const block of structure.blocks) {
    const kind = block.nodes.map(({ op }) => op).join();
    const axis = kinds.has(kind) ? null : positionAxis(structure, block);
    kinds.add(kind);
    if (axis === null || isHalf(block.input.dtype)) continue;
    // What is left of the stream may be one position of it.
    if (block.output.shape.join() !== block.input.shape.join()) continue;
    const nodes = closureOf(structure.nodes, block);
    if (nodes.length > nodeLimit || numel(block.input.shape) > elementLimit) continue;
    const dependent = new Set(dependents(nodes, block.input));
    for (const node of nodes)
      if (!dependent.has(node) && !pushed.has(node)) {
        pushed.add(node);
        emit.nodes.push(node);
      }
    const rows = madeUp(block.input.shape);
    const [first, second] = [rows, withLastChanged(rows, block.input.shape)].map((data) =>
      again(block, dependent, data),
    );
    if (!first || !second) continue;
    const difference = emit.op("Abs", [emit.op("Sub", [first, second])]);
    const output = emit.op("ReduceMax", [difference, emit.ints([2])], { keepdims: 0 });
    asked.push({ block, output, axis });
  }
  if (asked.length === 0) return null;
  const outputs = asked.map(({ output }) => output);
  const pruned = prune({ inputs, nodes: emit.nodes, outputs });
  const used = new Set(pruned.nodes.flatMap(valuesUsedBy));
  return {
    graph: { ...pruned, inputs: inputs.filter((value) => used.has(value)) },
    read: (results) =>
      asked.flatMap(({ block, output, axis }) => {
        const changes = results.get(output.id)?.data;
        return changes ? [{ block, ...readChanges(changes, output.shape, axis) }] : [];
      }),
  };

  /** The block's nodes once more, on other numbers. */
  function again(
    { input, output }: Block,
    nodes: ReadonlySet<Node>,
    data: Float32Array,
  ): Value | null {
    const start = emit.constant({ dtype: "float32", shape: input.shape, data });
    return rerun(emit, nodes, input, start).get(output.id) ?? null;
  }
}

/** 0 or 1: the axis along which something is added that all samples share; null: not known. */
function positionAxis({ nodes, blocks }: Structure, { input }: Block): number | null {
  const [a = 1, b = 1] = input.shape;
  if (input.shape.length !== 3 || a < 2 || b < 2 || input.dtype !== "float32") return null;
  const before = blocks[0] ? nodes.indexOf(blocks[0].nodes[0] as Node) : 0;
  for (const node of nodes.slice(0, before).toReversed()) {
    const [out] = node.outputs;
    if (node.op !== "Add" || !out || !sameShape(out.shape, input.shape)) continue;
    for (const value of node.inputs) {
      if (value === null || !isFloat(value.dtype) || value.shape.at(-1) !== out.shape[2]) continue;
      const [first = 1, second = 1] = [...Array(3 - value.shape.length).fill(1), ...value.shape];
      if (first === 1 && second === b) return 1;
      if (first === a && second === 1) return 0;
    }
  }
  return null;
}

/** All that the block's output needs, up to its input. */
function closureOf(nodes: readonly Node[], { input, output }: Block): Node[] {
  const needed = new Set<number>([output.id]);
  const kept: Node[] = [];
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some(({ id }) => needed.has(id) && id !== input.id)) continue;
    kept.push(node);
    for (const { id } of valuesUsedBy(node)) if (id !== input.id) needed.add(id);
  }
  return kept.reverse();
}

/** Of unit size and no pattern. */
const madeUp = (shape: readonly number[]): Float32Array =>
  Float32Array.from({ length: numel(shape) }, (_, i) => 1.4 * Math.sin(12.9898 * i));

function withLastChanged(rows: Float32Array, shape: readonly number[]): Float32Array {
  const changed = rows.slice();
  for (let i = rows.length - (shape.at(-1) ?? 1); i < rows.length; i++)
    changed[i] = (rows[i] ?? 0) + 1 + (i % 3);
  return changed;
}

/** Rounding differs where sums are cut otherwise; a real change of one row is far larger. */
const tolerance = 1e-4;

function readChanges(changes: Numbers, shape: readonly number[], axis: number) {
  const [a = 1, b = 1] = shape;
  const at = (i: number, k: number): boolean => {
    const change = changes[i * b + k] as number;
    return change > tolerance;
  };
  const [batch, positions] = axis === 1 ? [a, b] : [b, a];
  const isChanged = (sample: number, position: number) =>
    axis === 1 ? at(sample, position) : at(position, sample);
  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  return {
    batch,
    positions,
    samples: range(batch - 1).filter((sample) =>
      range(positions).some((position) => isChanged(sample, position)),
    ).length,
    earlier: range(positions - 1).filter((position) => isChanged(batch - 1, position)).length,
  };
}
