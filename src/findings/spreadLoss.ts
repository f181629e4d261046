/** A loss between a prediction and a target whose shapes differ: each of the one meets each of the other. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const losses: ReadonlySet<string> = new Set([
  "mse_loss",
  "l1_loss",
  "smooth_l1_loss",
  "huber_loss",
]);
const squares: ReadonlySet<string> = new Set(["Pow", "Abs", "ReduceSumSquare"]);

export const spreadLoss = (evidence: Evidence): Finding[] =>
  oncePerLine(
    evidence.structure.nodes.flatMap((node): Finding[] => {
      const [a, b] = node.inputs;
      const [difference] = node.outputs;
      const { call } = node.origin;
      if (node.op !== "Sub" || !a || !b || !difference || !call) return [];
      const size = numel(difference.shape);
      if (numel(a.shape) < 2 || numel(b.shape) < 2) return [];
      if (size <= Math.max(numel(a.shape), numel(b.shape))) return [];
      if (!losses.has(call.op) && !isLossOfColumn(evidence, node, a, b, call)) return [];
      const shapes = [a, b].map(({ shape }) => `[${shape.join(", ")}]`);
      return [
        {
          code: "loss/shapes",
          severity: "error",
          message: `Prediction and target have the shapes ${shapes.join(" and ")}, which are broadcast to [${difference.shape.join(", ")}]: each number of the one is compared with ${size / numel(a.shape)} of the other, and the best prediction is the mean of all. squeeze or unsqueeze one of both`,
          ...callPlace(call),
          evidence: { prediction: shapes[0] ?? "", target: shapes[1] ?? "", compared: size },
        },
      ];
    }),
  );

/**
 * `((x - y) ** 2).mean()` written out, where x is the column [n, 1] of a linear map and y has n numbers:
 * differences of all pairs that are meant have an axis of length 1 that was asked for.
 */
function isLossOfColumn(
  { structure: { producers, found }, program }: Evidence,
  node: Node,
  a: Value,
  b: Value,
  call: TorchCall,
): boolean {
  const [difference] = node.outputs;
  const column = a.shape.at(-1) === 1 && a.shape.length === b.shape.length + 1 ? a : b;
  const other = column === a ? b : a;
  if (column.shape.length !== other.shape.length + 1 || column.shape.at(-1) !== 1) return false;
  if (numel(column.shape) !== numel(other.shape) || !difference || call.op === "linear")
    return false;
  const maker = producers.makers.get(column.id);
  const weight = maker?.inputs[1];
  const isColumn =
    (maker?.op === "MatMul" || maker?.op === "Gemm" || maker?.op === "Add") && weight;
  if (!isColumn || !found.isWeight(weight)) return false;
  let readers = producers.readersOf(difference);
  if (readers.length === 0 || !readers.every((one) => isSquare(one, difference))) return false;
  for (let steps = 0; steps < 8; steps++) {
    const [reader] = readers;
    const out = reader?.outputs[0];
    if (!out) return false;
    if (out.id === program.loss.id) return true;
    readers = producers.readersOf(out);
  }
  return false;
}

const isSquare = ({ op, inputs }: Node, value: Value): boolean =>
  squares.has(op) || (op === "Mul" && inputs.every((one) => one?.id === value.id));
