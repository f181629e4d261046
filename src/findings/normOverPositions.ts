/** LayerNorm of a stream that takes the positions and the width together. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Known where attention runs along the axis that is normalised over beside the width. */
export const normOverPositions = ({ program, structure }: Evidence): Finding[] =>
  oncePerLine(
    program.norms.flatMap(({ call, kind, input, axes }): Finding[] => {
      const [, positions = 1, width] = input.shape;
      const isWhole = kind === "layer_norm" && axes === 2 && input.shape.length === 3;
      const isAttended = structure.attention.some(({ softmaxSize }) => softmaxSize === positions);
      if (!isWhole || !isAttended || positions < 2) return [];
      return [
        {
          code: "norm/axis",
          severity: "warning",
          message: `This LayerNorm of [${input.shape.join(", ")}] runs over the ${positions} positions and the width ${width} together: each position depends on all others, padding and later ones among them, gains belong to places, and no other length fits`,
          ...callPlace(call),
          evidence: { positions, width: width ?? 1 },
        },
      ];
    }),
  );
