/** A node → the types of its outputs, from its operator's declaration. */
import { unknownOp } from "../errors.ts";
import type { Node } from "../graph/graph.ts";
import type { TensorType } from "../graph/tensor.ts";
import { byName } from "./defineOp.ts";
import { opNamed } from "./registry.ts";

export function inferNode(node: Node): readonly TensorType[] {
  const def = opNamed(node.op);
  if (def === null) throw unknownOp(node.op, null);
  const at = byName(def.inputs, node.inputs) as never;
  return def.infer(at, { ...def.attrs, ...node.attrs } as never, node.outputs.length);
}
