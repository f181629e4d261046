/** One norm, with one gain, for the streams of several blocks or for all sublayers of one. */

import type { Finding } from "../protocol/report.ts";
import type { Block } from "../stats/blocks.ts";
import type { FoundNorm } from "../stats/foundNorms.ts";
import { sumOf } from "../stats/residual.ts";
import type { Structure } from "../stats/structure.ts";
import { callPlace, counted, type Evidence, linesText } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

interface Use {
  readonly norm: FoundNorm;
  readonly block: Block;
}

/** A whole block that runs several times is shared on purpose, and its norms with it. */
export function sharedNorms({ program, structure }: Evidence): Finding[] {
  const gains = new Set(
    program.parameters.filter(({ shape }) => shape.length === 1).map(({ name }) => name),
  );
  const uses = new Map<string, Use[]>();
  for (const { norm, block } of streamNorms(structure)) {
    const { module } = norm.call;
    if (module === null || !gains.has(`${module}.weight`)) continue;
    uses.set(module, [...(uses.get(module) ?? []), { norm, block }]);
  }
  const findings = [...uses].flatMap(([module, own]): Finding[] => {
    const paths = new Set(own.map(({ block }) => block.path));
    const most = Math.max(...[...paths].map((path) => usesWithin(own, path)));
    const last = own.at(-1);
    if (!last || (paths.size === 1 && most === 1)) return [];
    const where =
      paths.size > 1
        ? `normalises the streams of ${counted(paths.size, "block")}`
        : `normalises the stream of ${last.block.path} in ${counted(most, "place")} (${linesText(own.map(({ norm }) => norm.call.site.line))})`;
    return [
      {
        code: "norm/shared",
        severity: "information",
        message: `One ${last.norm.kind} (${module}) ${where}: its gain is one parameter for all of them, which training pulls to what each asks for`,
        ...callPlace(last.norm.call),
        module,
        evidence: { module, blocks: paths.size, places: most },
      },
    ];
  });
  return oncePerLine(findings);
}

/** How often one call of the block uses it. */
function usesWithin(own: readonly Use[], path: string): number {
  const calls = new Map<Block, number>();
  for (const { block } of own)
    if (block.path === path) calls.set(block, (calls.get(block) ?? 0) + 1);
  return Math.max(...calls.values());
}

/** Norms of what enters a block, or of its sums. */
function streamNorms({ blocks, norms, found }: Structure): Use[] {
  return blocks.flatMap((block) => {
    const { input, nodes, residual } = block;
    const streams = new Set([found.idOf(input)]);
    for (const add of residual.adds) {
      const sum = sumOf(nodes, add);
      streams.add(found.idOf(add.skip));
      if (sum) streams.add(found.idOf(sum));
    }
    const calls = new Set(nodes.map(({ origin }) => origin.call?.id));
    return norms
      .filter(({ call, input: of }) => calls.has(call.id) && streams.has(found.idOf(of)))
      .map((norm) => ({ norm, block }));
  });
}
