/** A root that gets zeros because eps is added behind it. */

import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Where the least root is well above eps, the place of eps makes no difference and is no finding. */
export const epsOutside = ({ report }: Evidence): Finding[] =>
  oncePerLine(
    report.norms.flatMap((norm): Finding[] => {
      const { epsPlace, minRoot, eps, kind = "norm", file = null, line = null, path } = norm;
      if ((epsPlace !== "outside" && epsPlace !== "none") || minRoot === undefined) return [];
      const least = fromNum(minRoot);
      if (!(least <= eps)) return [];
      const sum =
        epsPlace === "none"
          ? "no eps is added to it"
          : `eps = ${figure(eps)} is added outside of it`;
      return [
        {
          code: "norm/eps-outside",
          severity: "warning",
          message: `The root of this ${kind} gets rows whose root is ${figure(least)}, and ${sum}: forward is finite, but the root's slope at 0 is infinite, and 0 · ∞ is NaN backward`,
          file,
          line,
          module: path,
          evidence: { eps, "least root": least, "eps stands": epsPlace },
        },
      ];
    }),
  );
