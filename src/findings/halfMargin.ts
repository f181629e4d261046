/** Values in half precision that come near the end of their type. */

import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { type Evidence, figure } from "./evidence.ts";

/** float16: (2 − 2⁻¹⁰) · 2¹⁵; bfloat16 ends where float32 does. */
export const largestOf = (dtype: string): number | null =>
  ({ float16: 65504, bfloat16: 3.3895e38 })[dtype] ?? null;

/** The nearest one of each line. The end of a type itself is a mask's number, or a clamp's. */
export function halfMargin(evidence: Evidence): Finding[] {
  const { limits } = evidence;
  const found = new Map<string, Finding>();
  for (const { report: value } of evidence.values) {
    const { file, line, op, module, activation, dtype } = value;
    const largest = largestOf(dtype);
    const reached = fromNum(activation.absMax);
    const isWhole = activation.nan + activation.posInf + activation.negInf === 0;
    if (largest === null || !isWhole || !(reached > 0) || reached === largest) continue;
    const bits = Math.log2(largest / reached);
    if (bits >= limits.halfMarginBits || found.has(`${file}:${line}`)) continue;
    found.set(`${file}:${line}`, {
      code: "numbers/half-margin",
      severity: "warning",
      message: `${op} reaches ${figure(reached)}: ${figure(bits)} bits below the largest ${dtype}, ${figure(largest)}`,
      file,
      line,
      module,
      evidence: { reached, largest, bits, limit: limits.halfMarginBits },
    });
  }
  return [...found.values()];
}
