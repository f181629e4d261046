/** Probabilities where a loss wants logits or their logarithms. */
import type { TorchCall } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence, figure, madeBefore } from "./evidence.ts";

const squashes: Readonly<Record<string, string>> = { Softmax: "softmax", Sigmoid: "sigmoid" };

export const doubleSoftmax = (evidence: Evidence): Finding[] => [
  ...ofClasses(evidence),
  ...ofYesAndNo(evidence),
];

function ofClasses(evidence: Evidence): Finding[] {
  return evidence.structure.nodes.flatMap((node): Finding[] => {
    const { call } = node.origin;
    const [input] = node.inputs;
    if (!call || !input || !call.op.includes("cross_entropy") || node.op !== "LogSoftmax")
      return [];
    const before = madeBefore(evidence, input).node;
    const made = before?.origin.call;
    if (!made || made.id === call.id) return [];
    const isOwnLoss = !call.site.file.startsWith("<");
    if (before.op === "LogSoftmax" && made.op === "log_softmax")
      return isOwnLoss ? [twiceLogged(made, call)] : [];
    const squash = squashes[before.op];
    if (squash === undefined || (!isOwnLoss && isForEvaluation(evidence, made))) return [];
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

/** `if not self.training: x = softmax(x)`: training, where the loss is, gets logits. */
function isForEvaluation(
  { program, textOf }: Evidence,
  { site: { file, line } }: TorchCall,
): boolean {
  const lines = textOf(file)?.split("\n") ?? [];
  const asks = (text: string): boolean => /\bif\b.*\.training\b/.test(text);
  const isBranch = lines.some((text) => /^\s*(el)?if\b/.test(text) && asks(text));
  return program.mode === "eval" && (isBranch || asks(lines[line - 1] ?? ""));
}

/** Logarithms of probabilities come out of log_softmax as they went in. */
const twiceLogged = (made: TorchCall, call: TorchCall): Finding => ({
  code: "loss/log-twice",
  severity: "information",
  message: `cross_entropy applies log_softmax, and gets the result of log_softmax (line ${made.site.line}): the second changes nothing and costs its time. nll_loss takes it as it is`,
  ...callPlace(call),
  evidence: { "log_softmax line": made.site.line },
});

/** ln(1 + e^-1): what the loss is where a probability of 1 is taken for a logit. */
const leastOfOne = Math.log(1 + Math.exp(-1));

function ofYesAndNo(evidence: Evidence): Finding[] {
  const { nodes } = evidence.structure;
  const told = new Set<number>();
  return nodes.flatMap((node): Finding[] => {
    const { call } = node.origin;
    if (call?.op !== "binary_cross_entropy_with_logits" || told.has(call.id)) return [];
    const own = nodes.filter(({ origin }) => origin.call?.id === call.id);
    return node.inputs.flatMap((value): Finding[] => {
      // The targets may be probabilities; they are read once, and the logits more than once.
      if (!value || own.filter(({ inputs }) => inputs.includes(value)).length < 2) return [];
      const before = madeBefore(evidence, value).node;
      const squash = squashes[before?.op ?? ""];
      const made = before?.origin.call;
      if (squash === undefined || !made || made.id === call.id || told.has(call.id)) return [];
      told.add(call.id);
      return [
        {
          code: "loss/double-softmax",
          severity: "error",
          message: `binary_cross_entropy_with_logits takes logits, and gets the result of ${squash} (line ${made.site.line}): a sure 1 still costs ${figure(leastOfOne)}, and a sure 0 costs ${figure(Math.LN2)}`,
          file: made.site.file,
          line: made.site.line,
          module: made.module,
          evidence: { "least loss of 1": leastOfOne, "least loss of 0": Math.LN2 },
        },
      ];
    });
  });
}
