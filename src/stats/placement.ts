/** Where a block has its norms, in the words that people use. */
import type { ResidualPath } from "./residual.ts";

/**
 * - `Pre-LN`: every branch begins with a norm, the stream has none (Xiong et al. 2020)
 * - `Post-LN`: every sum goes through a norm, which is the stream (Vaswani et al. 2017)
 * - `Pre-LN and Post-LN`: both
 * - `Peri-LN`: every branch begins and ends with a norm (Gemma; CogView's sandwich)
 * - `Res-Post-LN`: every branch ends with a norm (Swin V2, OLMo 2)
 * - `norm on the skip path`: the stream is normalised before it is added to, and leaves as a sum
 * - `norm within the branch`: neither at its beginning nor at its end (ConvNeXt; of queries and keys alone)
 * - `no norm`: no branch, no sum is normalised
 * - `mixed`: branches of one block differ
 * - `unknown`: no residual path was found
 */
export type Placement =
  | "Pre-LN"
  | "Post-LN"
  | "Pre-LN and Post-LN"
  | "Peri-LN"
  | "Res-Post-LN"
  | "norm on the skip path"
  | "norm within the branch"
  | "no norm"
  | "mixed"
  | "unknown";

/** `hasNorms`: whether there is a norm anywhere in the block. */
export function placementOf({ adds, end }: ResidualPath, hasNorms = false): Placement {
  if (adds.length === 0 || end === "other") return "unknown";
  if (adds[0]?.skipIsNormed && end === "raw") return "norm on the skip path";
  const each = adds.map(({ startsWithNorm, endsWithNorm }, at) => {
    const isNormedAfter = adds[endOfSum(adds, at) + 1]?.skipIsNormed ?? end === "normed";
    if (isNormedAfter) return startsWithNorm ? "Pre-LN and Post-LN" : "Post-LN";
    if (startsWithNorm) return endsWithNorm ? "Peri-LN" : "Pre-LN";
    return endsWithNorm ? "Res-Post-LN" : "no norm";
  });
  if (hasNorms && each.every((one) => one === "no norm")) return "norm within the branch";
  const [first] = each;
  return first !== undefined && each.every((one) => one === first) ? first : "mixed";
}

/** Of x + a(x) + b(x), two additions that are one sum, the last. */
function endOfSum(adds: ResidualPath["adds"], at: number): number {
  let last = at;
  while (adds[last + 1]?.readsEarlier && !adds[last + 1]?.skipIsNormed) last++;
  return last;
}
