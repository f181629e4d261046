/** Columns of a linear map's result, within a block, that nothing reads. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** All that reads the result takes slices of its last axis, and some columns are in none of them. */
export const sliceUnread = ({ structure }: Evidence): Finding[] => {
  const { blocks, producers, found } = structure;
  return oncePerLine(
    blocks.flatMap(({ nodes, path }) =>
      nodes.flatMap((node): Finding[] => {
        const result = resultOf(node);
        const width = result?.shape.at(-1) ?? 0;
        const { call } = node.origin;
        if (!result || !call || width < 2 || !result.requiresGrad) return [];
        const readers = readersOf(result);
        const spans = readers.map(spanOf);
        if (readers.length === 0 || spans.includes(null)) return [];
        const read = new Set(spans.flatMap((span) => span ?? []));
        if (read.size === 0 || read.size >= width) return [];
        return [
          {
            code: "parameters/unread-part",
            severity: "information",
            message: `${width - read.size} of the ${width} columns of a linear map's result are read by nothing: the weights that make them get no gradient. Heads that all read the same columns do this`,
            ...callPlace(call),
            module: call.module ?? path,
            evidence: { columns: width, unread: width - read.size },
          },
        ];
      }),
    ),
  );

  /** What a product with weights gives, its bias added. */
  function resultOf({ op, inputs: [a, b], outputs: [out] }: Node): Value | null {
    if ((op !== "MatMul" && op !== "Gemm") || !a || !b || !out) return null;
    if (!found.isWeight(b) || found.isWeight(a)) return null;
    const [reader, ...others] = producers.readersOf(out);
    const isBias = reader?.op === "Add" && reader.inputs.some((one) => one?.role === "parameter");
    return isBias && others.length === 0 ? (reader.outputs[0] ?? null) : out;
  }

  function readersOf(value: Value): readonly Node[] {
    return producers
      .readersOf(value)
      .flatMap((node) =>
        node.outputs[0] && keepsColumns(node, value) ? readersOf(node.outputs[0]) : [node],
      );
  }
};

/** A view whose last axis is the same. */
const keepsColumns = ({ op, outputs: [out] }: Node, { shape }: Value): boolean =>
  (op === "Identity" || op === "Reshape") && out?.shape.at(-1) === shape.at(-1);

/** The columns that a slice of the last axis takes; null: it reads all, or otherwise. */
function spanOf({ op, inputs }: Node): number[] | null {
  const [, starts, ends, axes, steps] = inputs.map((one) => one?.data ?? null);
  const shape = inputs[0]?.shape ?? [];
  const last = shape.length - 1;
  const width = shape.at(-1) ?? 0;
  if (op !== "Slice" || !starts || !ends || axes?.length !== 1) return null;
  const axis = Number(axes[0]);
  if ((axis !== last && axis !== -1) || (steps && Number(steps[0]) !== 1)) return null;
  const [from = 0, to = width] = [starts, ends].map((one) => within(Number(one[0]), width));
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

const within = (at: number, width: number): number =>
  Math.min(width, Math.max(0, at < 0 ? at + width : at));
