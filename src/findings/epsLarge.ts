/** Norms in which eps is a good part of what is divided by. */
import type { Finding } from "../protocol/report.ts";
import { asNumber, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** An input that is 0 throughout (DETR's first decoder layer) has no variance to compare with. */
export const epsLarge = ({ report, limits }: Evidence): Finding[] =>
  oncePerLine(
    report.norms.flatMap((norm): Finding[] => {
      const { epsShare, eps, variance, kind = "norm", file = null, line = null, path } = norm;
      const share = asNumber(epsShare);
      if (!(share > limits.epsShare) || asNumber(variance) === 0) return [];
      return [
        {
          code: "norm/eps-large",
          severity: "warning",
          message: `eps = ${figure(eps)} is ${figure(100 * share)} % of what this ${kind} divides by (variance ${figure(variance)}): its result has RMS ${figure(Math.sqrt(1 - share))} and not 1`,
          file,
          line,
          module: path,
          evidence: { eps, variance, share, limit: limits.epsShare },
        },
      ];
    }),
  );
