/** How many bytes a run of a graph will hold at once, known from the shapes alone. */
import type { Graph, Value } from "../graph/graph.ts";
import { valuesUsedBy } from "../graph/prune.ts";
import { isHalf, numel, bytesOf as storedBytes } from "../graph/tensor.ts";

export interface MemoryNeeds {
  /** Parameters and buffers that are fed. */
  readonly weightsBytes: number;
  /** Inputs and values computed forward and backward: as many as live at the same time. */
  readonly activationsBytes: number;
  /** What the runtime takes beyond: it gives memory back in pieces that fit no other value. */
  readonly workspaceBytes: number;
}

/** Their output is their input under another shape. */
const views = new Set(["Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity"]);

/**
 * Measured on the CPU (docs/devices.md has the models): what a session takes at least, and the share
 * of a graph's values that the runtime's allocator holds beyond them.
 */
const sessionBytes = 40e6;
const workspaceShare = 0.3;

export function memoryNeeds(graph: Graph): MemoryNeeds {
  const fed = new Set<Value>();
  const rootOf = new Map<Value, Value>();
  const root = (value: Value): Value => rootOf.get(value) ?? value;
  const lastUse = new Map<Value, number>();
  for (const [index, node] of graph.nodes.entries()) {
    const [first] = node.inputs;
    const [output] = node.outputs;
    if (views.has(node.op) && first && output) rootOf.set(output, root(first));
    for (const value of valuesUsedBy(node)) {
      if (value.role === "node") lastUse.set(root(value), index);
      else fed.add(value);
    }
  }
  for (const value of graph.outputs) lastUse.set(root(value), graph.nodes.length);

  const dyingAt = new Map<number, Value[]>();
  for (const [value, index] of lastUse) {
    const dying = dyingAt.get(index) ?? [];
    dying.push(value);
    dyingAt.set(index, dying);
  }
  let live = 0;
  let peak = 0;
  for (const [index, node] of graph.nodes.entries()) {
    const made = node.outputs.filter((value) => root(value) === value);
    for (const value of made) live += bytesOf(value);
    peak = Math.max(peak, live);
    for (const value of dyingAt.get(index) ?? []) if (value.role === "node") live -= bytesOf(value);
    for (const value of made) if (!lastUse.has(value)) live -= bytesOf(value);
  }
  const sum = (values: readonly Value[]) => values.reduce((all, it) => all + bytesOf(it), 0);
  const all = [...fed];
  const weightsBytes = sum(all.filter(({ role }) => role !== "input"));
  const activationsBytes = peak + sum(all.filter(({ role }) => role === "input"));
  return { weightsBytes, activationsBytes, workspaceBytes: sessionBytes + peak * workspaceShare };
}

/** Half precision is fed and computed as float32. */
const bytesOf = ({ dtype, shape }: Value): number =>
  numel(shape) * (isHalf(dtype) ? storedBytes.float32 : storedBytes[dtype]);

export const neededBytes = (needs: MemoryNeeds): number =>
  needs.weightsBytes + needs.activationsBytes + needs.workspaceBytes;
