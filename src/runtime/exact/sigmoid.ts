/**
 * ONNX Runtime's sigmoid in float32 is off by 1e-8 whatever its result: nothing beside a number near
 * one, everything to a logarithm or a quotient of what is far below one. There, and only there, the
 * sigmoid is written as 1 / (1 + e^(−x)), which is right to the last digits and takes twice as long.
 */
import type { Node, Value } from "../../graph/graph.ts";
import { usersIn } from "../../graph/prune.ts";
import type { CreateValue, Rewrite } from "./exact.ts";

/** The rule for `nodes`; null: it has nothing to do. */
export function exactSigmoids(nodes: readonly Node[]): Rewrite | null {
  const isRough = ({ op, outputs: [y] }: Node): boolean =>
    op === "Sigmoid" && y?.dtype === "float32";
  if (!nodes.some(isRough)) return null;
  const users = usersIn(nodes);
  return (node, createValue) =>
    isRough(node) && node.outputs.some((y) => losesDigits(y, users))
      ? exactly(node, createValue)
      : null;
}

/** Which inputs of an operator lose what small numbers lack in digits. */
const losing: Readonly<Record<string, number>> = {
  Log: 0,
  Sqrt: 0,
  Reciprocal: 0,
  Pow: 0,
  Div: 1,
};

/** Operators whose result has the digits of their first input, or of all of them. */
const carrying = new Set([
  ...["Identity", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Expand", "Slice", "Split"],
  ...["Gather", "GatherElements", "GatherND", "Concat", "Flatten", "Pad", "Tile"],
  ...["Max", "Clip", "Where", "TopK"],
  ...["ReduceProd", "ReduceMin", "ReduceMax", "ReduceSum", "ReduceMean"],
]);

/** Sums and products carry digits where the other operand is a constant: log(σ(x) + 1e-24). */
const withConstant = new Set(["Add", "Mul"]);

function losesDigits(value: Value, users: ReadonlyMap<Value, readonly Node[]>): boolean {
  const seen = new Set<Value>();
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    for (const { op, inputs, outputs } of users.get(one) ?? []) {
      const at = losing[op];
      if (at !== undefined && inputs[at] === one) return true;
      const isCarried =
        carrying.has(op) ||
        (withConstant.has(op) && inputs.some((other) => other?.role === "constant"));
      if (isCarried) open.push(...outputs);
    }
  }
  return false;
}

function exactly(node: Node, createValue: CreateValue): Node[] {
  const [x, y] = [node.inputs[0] as Value, node.outputs[0] as Value];
  const data = Float32Array.of(1);
  const one = createValue(y, { role: "constant", shape: [], requiresGrad: false, data });
  const negated = createValue(y);
  const exp = createValue(y);
  const sum = createValue(y);
  const step = (op: string, inputs: readonly Value[], output: Value): Node => ({
    ...node,
    op,
    inputs,
    outputs: [output],
    attrs: {},
  });
  return [
    step("Neg", [x], negated),
    step("Exp", [negated], exp),
    step("Add", [exp, one], sum),
    step("Reciprocal", [sum], y),
  ];
}
