/** Units of a layer with a flat side that no row of the batch moves. */

import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence, figure, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Of rows that a gradient reaches: of fewer, every other unit may be 0 by chance. */
const fewestRows = 32;

/** A unit is dead in this run where its bias gets no gradient at all. */
export function deadUnits(evidence: Evidence): Finding[] {
  const { structure, program, report, limits } = evidence;
  const byValue = new Map(program.parameters.map(({ value }, at) => [value?.id, at]));
  return oncePerLine(
    structure.nodes.flatMap((node): Finding[] => {
      const [input] = node.inputs;
      const { call } = node.origin;
      if (node.op !== "Relu" || !input || !call) return [];
      const maker = structure.producers.makerOf(input);
      const width = input.shape.at(-1) ?? 1;
      const [output] = node.outputs;
      const arrives = output && measuredAs(evidence, output)?.gradient;
      // A gradient that is 0 throughout has another cause than this layer.
      const rows = Math.round((numel(input.shape) / width) * (1 - (arrives?.zeroFraction ?? 0)));
      if (!maker || rows < fewestRows) return [];
      const parameter = maker.inputs
        .flatMap((value) => (value ? (byValue.get(value.id) ?? []) : []))
        .map((at) => report.parameters[at])
        .find((one) => one?.shape.length === 1);
      const share = parameter?.gradient?.zeroFraction;
      if (!parameter || share === undefined || !(share > limits.deadUnits)) return [];
      return [
        {
          code: "units/dead",
          severity: "warning",
          message: `${figure(100 * share)} % of ${width} units are 0 for every one of ${rows} rows: their weights get no gradient`,
          ...callPlace(call),
          evidence: { share, units: width, limit: limits.deadUnits, parameter: parameter.name },
        },
      ];
    }),
  );
}
