/** BatchNorm1d whose channels are the positions. */
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** It takes [batch, channels, length]; known where attention runs along the axis that it takes for channels. */
export const batchAxis = ({ structure, modelSpreads: [spread] }: Evidence): Finding[] =>
  oncePerLine(
    structure.nodes.flatMap(({ inputs: [input], origin: { call } }): Finding[] => {
      if (!spread || !input || !call?.op.includes("batch_norm")) return [];
      const [samples, positions] = spread.size;
      const [first, second, third = 0] = input.shape;
      const isWhole = input.shape.length === 3 && first === samples && second === positions;
      const isAttended = structure.attention.some(({ softmaxSize }) => softmaxSize === positions);
      if (!isWhole || !isAttended || third === positions) return [];
      return [
        {
          code: "norm/batch-axis",
          severity: "warning",
          message: `Batch norm of [${input.shape.join(", ")}] takes axis 1, the ${positions} positions, for its channels: each position has a mean of its own over samples and all ${third} features, and no other length of sequence fits. x.transpose(1, 2) belongs around it`,
          ...callPlace(call),
          evidence: { positions, features: third },
        },
      ];
    }),
  );
