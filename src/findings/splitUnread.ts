/** Parts of a linear map's result that neither the loss nor what the model gives out depends on. */
import type { Finding } from "../protocol/report.ts";
import { neededFor } from "../stats/producers.ts";
import type { TracedValue } from "../trace/program.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

const splits = new Set(["chunk", "split", "unbind", "tensor_split", "split_with_sizes"]);

export function splitUnread({ program, structure }: Evidence): Finding[] {
  const { producers, found } = structure;
  const root = program.modules.find(({ path }) => path === "");
  // A loss that was made up leaves some of what the model gives out.
  const results = (root?.calls.at(-1)?.outputs ?? []).map(({ value }) => value);
  const live = new Set(
    [program.loss, ...results].flatMap((value) => [...neededFor(structure.nodes, value)]),
  );
  const groups = new Map<number, TracedValue[]>();
  // Another call of the same module may read what this one does not: queries in front of a cache.
  const read = new Set<string>();
  for (const one of program.values)
    if (splits.has(one.call.op) && !one.fromScript) {
      groups.set(one.call.id, [...(groups.get(one.call.id) ?? []), one]);
      if (live.has(one.value.id)) read.add(partName(one));
    }
  return oncePerLine(
    [...groups.values()].flatMap((parts): Finding[] => {
      const unread = parts.filter((part) => !read.has(partName(part)));
      const [first] = unread;
      if (!first || unread.length === parts.length || !first.value.requiresGrad) return [];
      if (!isOfMap(first)) return [];
      const { site, module, op } = first.call;
      return [
        {
          code: "parameters/unread-part",
          severity: "information",
          message: `Part ${first.output + 1} of the ${parts.length} that ${op} makes of a linear map's result reaches the loss by no way: the weights that make it get no gradient`,
          file: site.file,
          line: site.line,
          module,
          evidence: { parts: parts.length, unread: unread.length },
        },
      ];
    }),
  );

  /** Past biases and views: a product with weights. */
  function isOfMap({ value }: TracedValue): boolean {
    let node = producers.makerOf(value);
    for (let steps = 0; node && steps < 8; steps++) {
      const [a, b] = node.inputs;
      if ((node.op === "MatMul" || node.op === "Gemm") && b && found.isWeight(b)) return true;
      const next = a && !found.isWeight(a) ? a : b;
      if (!next || !["Slice", "Split", "Gather", "Add", "Squeeze"].includes(node.op)) return false;
      node = producers.makerOf(next);
    }
    return false;
  }
}

/** The same for all calls of a module's line. */
const partName = ({ call: { site, module, op }, output }: TracedValue): string =>
  `${site.file}:${site.line}:${site.column} ${module} ${op} ${output}`;
