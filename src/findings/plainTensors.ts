/** Tensors that a model keeps as plain attributes, though they are to be learned or kept. */
import type { Finding } from "../protocol/report.ts";
import type { PlainTensor } from "../trace/program.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export function plainTensors({ program }: Evidence): Finding[] {
  const plain = program.missed.flatMap((miss) => (miss.kind === "plain" ? [miss] : []));
  const known = new Set(program.parameters.map(({ value }) => value?.id));
  // What is computed of the model's own parameters (weight_norm) learns with them.
  const hasStray = program.graph.inputs.some(
    ({ id, requiresGrad }) => requiresGrad && !known.has(id),
  );
  return oncePerLine(
    plain.flatMap((one): Finding[] => {
      if (one.holds === "drawn") return [ofDrawn(one)];
      return hasStray ? [ofGradient(one)] : [];
    }),
  );
}

const ofGradient = ({ file, line, condition, name }: PlainTensor): Finding => ({
  code: "parameters/unregistered",
  severity: "error",
  message: `${name} asks for a gradient and is no parameter of the model ("${condition}"): what is computed of an nn.Parameter is a plain tensor, which no optimizer trains and no checkpoint holds`,
  ...{ file, line },
  module: null,
  evidence: { attribute: name },
});

const ofDrawn = ({ file, line, condition, name }: PlainTensor): Finding => ({
  code: "parameters/plain-tensor",
  severity: "warning",
  message: `${name} is drawn at random and is a plain attribute ("${condition}"): it is not trained, no checkpoint holds it, and a model that is made again from one draws other numbers`,
  ...{ file, line },
  module: null,
  evidence: { attribute: name },
});
