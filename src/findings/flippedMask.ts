/** A causal mask of the wrong sense: queries see the future, and nothing but it. */
import type { Finding } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const flippedMask = ({ report }: Evidence): Finding[] =>
  oncePerLine(
    report.attention.flatMap(({ sees, softmaxOver = "keys", file, line, path }): Finding[] =>
      !sees?.future || sees.past || sees.hiddenRows > 0 || softmaxOver !== "keys"
        ? []
        : [
            {
              code: "attention/mask-flipped",
              severity: "error",
              message: `Each position attends only to later ones${sees.self ? " and itself" : ""}, up to ${sees.farthest} ahead: the mask hides what it should keep (True keeps in scaled_dot_product_attention, True hides in nn.MultiheadAttention and masked_fill)`,
              file,
              line,
              module: path,
              evidence: {
                "sees past": "no",
                "sees future": "yes",
                "farthest ahead": sees.farthest,
              },
            },
          ],
    ),
  );
