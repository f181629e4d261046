/** Probabilities where a loss wants logits or their logarithms. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure, madeBefore } from "./evidence.ts";

const squashes: Readonly<Record<string, string>> = { Softmax: "softmax", Sigmoid: "sigmoid" };

export function doubleSoftmax(evidence: Evidence): Finding[] {
  return evidence.structure.nodes.flatMap((node): Finding[] => {
    const { call } = node.origin;
    const [input] = node.inputs;
    if (!call || !input || !call.op.includes("cross_entropy") || node.op !== "LogSoftmax")
      return [];
    const before = madeBefore(evidence, input).node;
    const squash = squashes[before?.op ?? ""];
    const made = before?.origin.call;
    if (squash === undefined || !made || made.id === call.id) return [];
    const classes = input.shape.at(-1) ?? 1;
    const floor = Math.log(1 + (classes - 1) / Math.E);
    return [
      {
        code: "loss/double-softmax",
        severity: "error",
        message: `cross_entropy takes logits, and gets the result of ${squash} (line ${made.site.line}): numbers between 0 and 1 cannot bring it below ${figure(floor)} for ${classes} classes, however sure they are`,
        file: made.site.file,
        line: made.site.line,
        module: made.module,
        evidence: { classes, "least loss": floor, "ln V": Math.log(classes) },
      },
    ];
  });
}
