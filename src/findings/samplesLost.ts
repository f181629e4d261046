/** A result in which the axis of the samples is gone: a mean over the batch in place of positions. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { neededFor } from "../stats/producers.ts";
import { callPlace, type Evidence } from "./evidence.ts";

export const samplesLost = (evidence: Evidence): Finding[] => [
  ...takenTogether(evidence),
  ...oneOfAll(evidence),
];

/** `x[0]` in place of `x[:, 0]`: all that goes on is of one sample. */
function oneOfAll({ modelSpreads, structure, program }: Evidence): Finding[] {
  const { nodes, producers } = structure;
  const [spread, ...others] = modelSpreads;
  if (!spread || others.length > 0 || program.inputs.length > 1) return [];
  const [samples] = spread.size;
  const needed = neededFor(nodes, program.loss);
  const apart = spread.seen.filter(({ own, others: mixed }) => own && mixed === 0);
  return apart.slice(-1).flatMap(({ traced, shape }): Finding[] => {
    const value = traced?.value;
    if (!value || shape.length < 3) return [];
    const readers = forwardReaders(value).filter(({ outputs }) =>
      outputs.some(({ id }) => needed.has(id)),
    );
    const [reader] = readers;
    const call = reader?.origin.call;
    if (!reader || !call || readers.length > 1 || !takesOne(reader)) return [];
    return [
      {
        code: "model/loses-samples",
        severity: "error",
        message: `Only one of the ${samples} samples of ${spread.input.name} goes on from here: axis 0 of [${shape.join(", ")}] has the samples, and one place of it is taken. x[:, 0] takes a position`,
        ...callPlace(call),
        evidence: { samples, of: shape.join(", ") },
      },
    ];
  });

  function forwardReaders(value: Value): readonly Node[] {
    return producers.readersOf(value).filter(({ origin }) => origin.direction === "forward");
  }
}

/** Whether a node takes one place of axis 0. */
function takesOne({ op, inputs, outputs: [output], attrs }: Node): boolean {
  const [of, index] = inputs;
  if (!of || !output) return false;
  if (op === "Gather") return Number(attrs["axis"] ?? 0) === 0 && index?.data?.length === 1;
  return op === "Slice" && output.shape[0] === 1 && (of.shape[0] ?? 1) > 1;
}

/** Known where positions see each other along axis 1, and samples do not along axis 0. */
function takenTogether({ modelSpreads, program }: Evidence): Finding[] {
  const root = program.modules.find(({ path }) => path === "");
  const returned = root?.calls[0]?.outputs[0];
  return modelSpreads.slice(0, 1).flatMap(({ size: [a, b], seen, input }): Finding[] => {
    const last = seen.findLast(({ before }) => before !== null);
    const after = (last?.before ?? 0) + (last?.after ?? 0);
    if (!returned || !last?.traced || last.others > 0 || after === 0) return [];
    if (returned.shape.length !== 2 || returned.shape[0] !== b || returned.shape[1] === a)
      return [];
    const at = program.values.indexOf(last.traced);
    const site = program.values[at + 1]?.call.site ?? last.traced.call.site;
    return [
      {
        code: "model/loses-samples",
        severity: "error",
        message: `The result [${returned.shape.join(", ")}] has no place for the ${a} samples of ${input.name} [${input.shape.join(", ")}]: positions see each other along axis 1, so axis 0 has the samples, and this takes them together`,
        file: site.file,
        line: site.line,
        module: program.values[at + 1]?.call.module ?? null,
        evidence: { samples: a, positions: b, result: returned.shape.join(", ") },
      },
    ];
  });
}
