/** A root that gets zeros because eps is added behind it, or behind the quotient. */

import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const epsOutside = (evidence: Evidence): Finding[] => [
  ...behindRoot(evidence),
  ...behindQuotient(evidence),
];

const largestEps = 1e-2;

/** `x / root + eps`: nothing keeps the root from 0. */
const behindQuotient = ({ structure: { norms, producers } }: Evidence): Finding[] =>
  oncePerLine(
    norms.flatMap(({ epsPlace, kind, output, call }): Finding[] => {
      const [reader, ...others] = epsPlace === "none" ? producers.readersOf(output) : [];
      const added = reader?.inputs.find((one) => one !== output)?.data;
      const eps = Number(added?.[0]);
      if (reader?.op !== "Add" || others.length > 0 || added?.length !== 1) return [];
      if (!(eps > 0 && eps <= largestEps)) return [];
      return [
        {
          code: "norm/eps-outside",
          severity: "warning",
          message: `eps = ${figure(eps)} is added to what this ${kind} gives, and not to what it divides by: a row without spread gives 0/0. It belongs within the root`,
          ...callPlace(call),
          evidence: { eps, "eps stands": "behind the quotient" },
        },
      ];
    }),
  );

/** Where the least root is well above eps, the place of eps makes no difference and is no finding. */
const behindRoot = ({ report }: Evidence): Finding[] =>
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
