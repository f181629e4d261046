/** Norms in which eps is a good part of what is divided by. */

import type { Finding, NormReport } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";
import { median } from "./stacks.ts";

/**
 * A usual eps counts where most norms of a line are so: single branches that start small are as they
 * are. An input that is 0 throughout (DETR's first decoder layer) has no variance to compare with.
 */
export function epsLarge({ report, limits }: Evidence): Finding[] {
  const norms = report.norms.filter(({ variance }) => fromNum(variance) > 0);
  const typical = (one: NormReport): number =>
    median(
      norms
        .filter(({ file, line }) => file === one.file && line === one.line)
        .map(({ epsShare }) => fromNum(epsShare)),
    );
  return oncePerLine(
    norms.flatMap((norm): Finding[] => {
      const { epsShare, eps, variance, kind = "norm", file = null, line = null, path } = norm;
      const share = fromNum(epsShare);
      const isUsual = eps <= 1.01 * limits.usualEps;
      const limit = isUsual ? limits.epsShare : limits.largeEpsShare;
      if (!(share > limit) || (isUsual && typical(norm) <= limit)) return [];
      return [
        {
          code: "norm/eps-large",
          severity: "warning",
          message: `eps = ${figure(eps)} is ${figure(100 * share)} % of what this ${kind} divides by (variance ${figure(variance)}): its result has RMS ${figure(Math.sqrt(1 - share))} and not 1`,
          file,
          line,
          module: path,
          evidence: { eps, variance, share, limit },
        },
      ];
    }),
  );
}
