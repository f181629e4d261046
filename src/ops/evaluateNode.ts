/** The numbers of one node, computed on the host. */
import { invariant } from "../errors.ts";
import type { Node, Value } from "../graph/graph.ts";
import type { HostArray } from "../graph/tensor.ts";
import { byName } from "./defineOp.ts";
import { opNamed } from "./registry.ts";

/** null: the operator has no host arithmetic. */
export function evaluateNode(
  node: Node,
  numbersOf: (value: Value) => HostArray,
): readonly HostArray[] | null {
  const def = opNamed(node.op);
  invariant(def, `no definition of ${node.op}`);
  if (!def.evaluate) return null;
  const inputs = node.inputs.map((value) => value && numbersOf(value));
  const attrs = { ...def.attrs, ...node.attrs };
  return def.evaluate(byName(def.inputs, inputs) as never, attrs as never, node.outputs);
}
