/** What a loss gets that it is not made for: activated logits, probabilities, a softmax over positions. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { type Evidence, madeBefore } from "./evidence.ts";

const activations = new Set(["relu", "relu_", "tanh", "gelu", "silu", "elu", "leaky_relu"]);

export function lossInput(evidence: Evidence): Finding[] {
  return evidence.structure.nodes.flatMap((node): Finding[] => {
    const { call } = node.origin;
    const [input] = node.inputs;
    if (!call || !input) return [];
    if (node.op === "LogSoftmax" && call.op.includes("cross_entropy"))
      return activated(evidence, input, call);
    if (node.op === "GatherElements" && call.op === "nll_loss")
      return ofLikelihood(evidence, node, input, call);
    return [];
  });
}

function activated(evidence: Evidence, logits: Value, call: TorchCall): Finding[] {
  const made = madeBefore(evidence, logits).node?.origin.call;
  if (!made || made.id === call.id || !activations.has(made.op)) return [];
  const { op } = made;
  const why =
    op === "tanh"
      ? "no logit leaves −1 … 1, so that no class can become sure"
      : "logits below 0 are cut or flattened and get little or no gradient";
  return [
    {
      code: "loss/activated-logits",
      severity: "warning",
      message: `cross_entropy gets the result of ${op} (line ${made.site.line}): ${why}`,
      file: made.site.file,
      line: made.site.line,
      module: made.module,
      evidence: { activation: op, "loss line": call.site.line },
    },
  ];
}

/** nll_loss takes logarithms of probabilities, over the axis of the classes. */
function ofLikelihood(evidence: Evidence, node: Node, input: Value, call: TorchCall): Finding[] {
  const { node: maker } = madeBefore(evidence, input);
  const made = maker?.origin.call;
  if (!maker || !made) return [];
  const place = { file: made.site.file, line: made.site.line, module: made.module };
  const what = { Softmax: "probabilities", Sigmoid: "probabilities" }[maker.op];
  const isLinear = made.op === "linear" || made.op === "matmul";
  if (what !== undefined || isLinear)
    return [
      {
        code: "loss/no-logarithm",
        severity: "error",
        message: `nll_loss takes logarithms of probabilities and gets ${what ?? "logits"} (${made.op}, line ${made.site.line}): it has no least value that means anything. log_softmax is missing, or cross_entropy is meant`,
        ...place,
        evidence: { "made by": made.op, "loss line": call.site.line },
      },
    ];
  const { shape } = maker.outputs[0] ?? input;
  const classes = input.shape.at(Number(node.attrs["axis"] ?? -1)) ?? 1;
  const axis = Number(maker.attrs["axis"] ?? -1);
  const size = shape.at(axis) ?? classes;
  if (maker.op !== "LogSoftmax" || size === classes || shape.at(-1) !== classes) return [];
  return [
    {
      code: "loss/softmax-axis",
      severity: "error",
      message: `log_softmax runs over an axis of ${size}, and the loss takes ${classes} classes from another axis: the probabilities of the classes do not sum to one`,
      ...place,
      evidence: { "softmax over": size, classes },
    },
  ];
}
