/** Values that hold the same numbers: each leads to the first of them, which alone is measured. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { bytesOf, isFloat, numel } from "../graph/tensor.ts";

/** The elements of a value are those of `value`, each `times` times, in another order. */
export interface Source {
  readonly value: Value;
  readonly times: number;
}

export type SourceOf = (value: Value) => Source;

const samePermuted: ReadonlySet<string> = new Set([
  "Reshape",
  "Transpose",
  "Identity",
  "Squeeze",
  "Unsqueeze",
  "Flatten",
]);

export function findSources(graph: Graph): SourceOf {
  const known = new Map<number, Source>();
  const sourceOf: SourceOf = (value) => known.get(value.id) ?? { value, times: 1 };
  for (const node of graph.nodes) {
    const [input] = node.inputs;
    const [output] = node.outputs;
    if (!input || !output) continue;
    const times = repeats(node, input, output);
    if (times === null) continue;
    const source = sourceOf(input);
    known.set(output.id, { value: source.value, times: source.times * times });
  }
  return sourceOf;
}

/** How often each element of the input is in the output; null where the numbers are others. */
function repeats({ op }: Node, input: Value, output: Value): number | null {
  if (samePermuted.has(op)) return 1;
  if (op === "Cast") return holdsAll(output, input) ? 1 : null;
  if (op !== "Expand") return null;
  const [from, to] = [numel(input.shape), numel(output.shape)];
  return from > 0 && to > 0 ? to / from : null;
}

/** Whether a conversion changes no number. bfloat16 and float16 hold neither all of the other. */
const holdsAll = (to: Value, from: Value): boolean =>
  to.dtype === from.dtype ||
  (isFloat(to.dtype) && isFloat(from.dtype) && bytesOf[to.dtype] > bytesOf[from.dtype]);
