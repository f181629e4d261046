/** Entries of a list that are one and the same module: `[layer] * n`. */
import type { Finding } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/** Sharing may be meant (ALBERT), and then a loop over one layer says so. */
export function sharedLayers(evidence: Evidence): Finding[] {
  const lists = new Map<string, { indices: Set<string>; tensors: number; name: string }>();
  for (const { name, aliases, shape } of evidence.report.parameters) {
    const own = name.match(numbered);
    if (!own || shape.length < 2) continue;
    const [, list = "", index = "", rest] = own;
    const others = aliases.flatMap((alias) => {
      const match = alias.match(numbered);
      return match && match[1] === list && match[3] === rest ? [match[2] ?? ""] : [];
    });
    if (others.length === 0) continue;
    const known = lists.get(list) ?? { indices: new Set([index]), tensors: 0, name };
    for (const one of others) known.indices.add(one);
    lists.set(list, { ...known, tensors: known.tensors + 1 });
  }
  return [...lists].map(([list, { indices, tensors, name }]): Finding => {
    const count = indices.size;
    return {
      code: "parameters/shared-layers",
      severity: "information",
      message: `${count} entries of ${list} are one module: they share all of their weights (${tensors} with two or more dimensions), and training moves them together`,
      ...parameterPlace(evidence, list || name),
      module: list,
      evidence: { entries: count, weights: tensors },
    };
  });
}

const numbered = /^(.*?)\.?\b(\d+)\.(.*)$/;
