/** How views of a value arrange its numbers. */
import type { Node, Value } from "../graph/graph.ts";
import { allocate, numel, sameShape } from "../graph/tensor.ts";
import { createEmitter } from "../ops/emitter.ts";
import { rerunAll } from "./rerun.ts";
import type { Structure } from "./structure.ts";

const viewOps: ReadonlySet<string> = new Set([
  ...["Reshape", "Transpose", "Identity", "Squeeze", "Unsqueeze"],
]);
export interface ViewPath {
  readonly base: Value;
  readonly nodes: readonly Node[];
}

/** Back past what only orders numbers. */
export function pathBefore(value: Value, { producers }: Structure): ViewPath {
  const nodes: Node[] = [];
  let base = value;
  for (
    let node = producers.makers.get(base.id);
    node && viewOps.has(node.op);
    node = producers.makers.get(base.id)
  ) {
    const [input] = node.inputs;
    if (!input) break;
    nodes.unshift(node);
    base = input;
  }
  return { base, nodes };
}

/** From the earliest of these that has a shape: linear maps have views of their own. */
export function pathFrom(
  value: Value,
  shape: readonly number[],
  structure: Structure,
): ViewPath | null {
  const whole = pathBefore(value, structure);
  const { nodes } = whole;
  if (sameShape(whole.base.shape, shape)) return whole;
  const at = nodes.findIndex(({ outputs }) => outputs[0] && sameShape(outputs[0].shape, shape));
  const base = nodes[at]?.outputs[0];
  return base ? { base, nodes: nodes.slice(at + 1) } : null;
}

/** Where in the base each number of a view stood. */
export function placesAfter({ base, nodes }: ViewPath, view: Value): ArrayLike<number> | null {
  const emit = createEmitter({ foldsAll: true });
  emit.gradMode = false;
  const data = allocate("float32", numel(base.shape)).map((_, at) => at);
  const counted = emit.constant({ dtype: "float32", shape: base.shape, data });
  const made = rerunAll(emit, nodes, new Map([[base.id, counted]])).get(view.id);
  return (made ?? counted).data;
}
