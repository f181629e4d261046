/** What tells one table of numbers from another. */
import type { Value } from "../graph/graph.ts";

const longest = 2 ** 16;

/** Equal numbers in whatever shape have one key; what is not known has its own. */
export function tableKey({ id, data }: Value): string {
  if (!data || data.length > longest) return `${id}`;
  let hash = 0;
  for (const number of data)
    hash = (Math.imul(hash, 31) + Math.round(Number(number) * 2 ** 16)) | 0;
  return `${data.length}:${hash}`;
}
