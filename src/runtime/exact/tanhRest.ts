/**
 * What the hyperbolic tangent of a small number leaves of it, x − tanh(x), is a few of its last digits,
 * of which ONNX Runtime's float32 kernel is up to four off. There the tangent is computed in double
 * precision; PyTorch's own is rounded as exactly in all but one of a thousand numbers.
 */
import type { Node, Value } from "../../graph/graph.ts";
import { usersIn } from "../../graph/prune.ts";
import type { CreateValue, Rewrite } from "./exact.ts";

/** The rule for `nodes`; null: it has nothing to do. */
export function tanhRest(nodes: readonly Node[]): Rewrite | null {
  const isRough = ({ op, outputs: [y] }: Node): boolean => op === "Tanh" && y?.dtype === "float32";
  if (!nodes.some(isRough)) return null;
  const users = usersIn(nodes);
  return (node, createValue) => {
    const [x, y] = [node.inputs[0] as Value, node.outputs[0] as Value];
    const leaves = ({ op, inputs }: Node): boolean =>
      op === "Sub" && inputs[0] === x && inputs[1] === y;
    return isRough(node) && users.get(y)?.some(leaves) ? inDouble(node, x, y, createValue) : null;
  };
}

function inDouble(node: Node, x: Value, y: Value, createValue: CreateValue): Node[] {
  const [wide, tanh] = [x, y].map((like) => createValue(like, { dtype: "float64" })) as [
    Value,
    Value,
  ];
  const cast = (input: Value, output: Value): Node => ({
    ...node,
    op: "Cast",
    inputs: [input],
    outputs: [output],
    attrs: { to: output.dtype },
  });
  return [cast(x, wide), { ...node, inputs: [wide], outputs: [tanh] }, cast(tanh, y)];
}
