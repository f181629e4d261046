/** Norms over the columns of an image, where its channels were meant. */
import type { Value } from "../graph/graph.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Convolutions have channels on axis 1; a norm of the last axis alone takes the columns of each row. */
export const imageNorm = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.norms.flatMap(({ input, axes, call, kind }): Finding[] => {
      const [, channels = 1, rows = 1, columns = 1] = input.shape;
      if (input.shape.length !== 4 || axes !== 1 || rows < 2 || columns < 2 || channels < 2)
        return [];
      if (!isConvolved(input, structure)) return [];
      return [
        {
          code: "norm/image-axis",
          severity: "warning",
          message: `${kind} of a convolution's result [${input.shape.join(", ")}] runs over its last axis, the ${columns} columns of each row, and not over the ${channels} channels of axis 1`,
          ...callPlace(call),
          evidence: { channels, columns },
        },
      ];
    }),
  );

/** Whether a value is a convolution's result, past what keeps its axes. */
function isConvolved(input: Value, { producers }: Evidence["structure"]): boolean {
  const { makers } = producers;
  const open = [input];
  const seen = new Set<number>();
  for (let value = open.pop(); value; value = open.pop()) {
    if (seen.has(value.id) || !sameShape(value.shape, input.shape)) continue;
    seen.add(value.id);
    const node = makers.get(value.id);
    if (node?.op === "Conv") return true;
    if (!node || ["Reshape", "Transpose", "MatMul", "Gemm"].includes(node.op)) continue;
    open.push(...node.inputs.filter((one) => one !== null));
  }
  return false;
}
