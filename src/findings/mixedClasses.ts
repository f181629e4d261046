/** Logits whose classes were moved by a reshape where a transpose is meant. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { axesAfter, labelAxes } from "../stats/axisLabels.ts";
import type { Evidence } from "./evidence.ts";

/** `logits.view(B, V, T)` for a loss that takes classes from axis 1. */
export function mixedClasses({ structure }: Evidence): Finding[] {
  const { nodes } = structure;
  const { makers } = structure.producers;
  return nodes.flatMap((node): Finding[] => {
    const [logits] = node.inputs;
    const { call } = node.origin;
    if (node.op !== "LogSoftmax" || !logits || !call?.op.includes("cross_entropy")) return [];
    const path = viewsBefore(logits, makers);
    const [first] = path;
    const start = first?.inputs[0];
    if (!start) return [];
    const labels = axesAfter(labelAxes(start.shape.length), path);
    const classes = labels.at(Number(node.attrs["axis"] ?? -1));
    const size = logits.shape.at(Number(node.attrs["axis"] ?? -1)) ?? 1;
    const made = path.find(({ op }) => op === "Reshape")?.origin.call ?? call;
    if (classes !== null || size < 2 || start.shape.at(-1) !== size) return [];
    const from = `[${start.shape.join(", ")}]`;
    return [
      {
        code: "loss/mixed-classes",
        severity: "error",
        message: `The loss takes its ${size} classes from an axis that a reshape of ${from} made: each row holds numbers of several positions and classes. A transpose is meant`,
        file: made.site.file,
        line: made.site.line,
        module: made.module,
        evidence: { classes: size, from },
      },
    ];
  });
}

/** From the first to the last, all that only orders the numbers of a value in front of it. */
function viewsBefore(value: Value, makers: ReadonlyMap<number, Node>): Node[] {
  const path: Node[] = [];
  let node = makers.get(value.id);
  while (node && ["Reshape", "Transpose", "Identity", "Squeeze", "Unsqueeze"].includes(node.op)) {
    path.unshift(node);
    node = node.inputs[0] ? makers.get(node.inputs[0].id) : undefined;
  }
  return path;
}
