/** Tanh whose results are nearly all at its ends, and gates that are shut: neither has a slope there. */

import type { Node } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const fewestNumbers = 64;

/** Below it a sigmoid has a slope below a thousandth, and what it multiplies is as good as gone. */
const shutRms = 1e-3;

export const saturatedUnits = (evidence: Evidence): Finding[] => [
  ...flatTanh(evidence),
  ...shutGates(evidence),
];

function shutGates(evidence: Evidence): Finding[] {
  const { nodes } = evidence.structure;
  return oncePerLine(
    nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      const [output] = node.outputs;
      if (node.op !== "Sigmoid" || !/^sigmoid_?$/.test(call?.op ?? "") || !output || !call)
        return [];
      const rms = fromNum(measuredAs(evidence, output)?.activation.rms ?? 1);
      if (!(rms < shutRms) || numel(output.shape) < fewestNumbers || !isGate(evidence, node))
        return [];
      return [
        {
          code: "units/saturated",
          severity: "warning",
          message: `This gate is shut: sigmoid gives RMS ${figure(rms)}, so that next to nothing of what it multiplies gets through, and its own gradient is as small`,
          ...callPlace(call),
          evidence: { rms, limit: shutRms },
        },
      ];
    }),
  );
}

/** Whether a node's result multiplies something that the step computes. */
const isGate = ({ structure: { producers } }: Evidence, { outputs }: Node): boolean =>
  outputs.some((output) =>
    producers
      .readersOf(output)
      .some(
        ({ op, inputs }) =>
          op === "Mul" && inputs.every((one) => one?.role === "node" || one?.role === "input"),
      ),
  );

const flatTanh = (evidence: Evidence): Finding[] =>
  oncePerLine(
    evidence.structure.nodes.flatMap(({ op, outputs, origin: { call } }): Finding[] => {
      const [output] = outputs;
      if (op !== "Tanh" || call?.op !== "tanh" || !output) return [];
      const rms = fromNum(measuredAs(evidence, output)?.activation.rms ?? 0);
      const limit = evidence.limits.saturatedRms;
      if (!(rms > limit) || numel(output.shape) < fewestNumbers) return [];
      return [
        {
          code: "units/saturated",
          severity: "warning",
          message: `tanh gives RMS ${figure(rms)}: nearly all of its inputs are where it is flat, and get a gradient close to 0`,
          ...callPlace(call),
          evidence: { rms, limit },
        },
      ];
    }),
  );
