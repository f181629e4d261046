/** Blocks that follow one another in one container. */
import type { BlockReport } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";

export function stacksOf(blocks: readonly BlockReport[]): BlockReport[][] {
  const stacks = new Map<string, BlockReport[]>();
  for (const block of blocks) {
    const container = block.path.replace(/\.?\d+$/, "");
    stacks.set(container, [...(stacks.get(container) ?? []), block]);
  }
  return [...stacks.values()];
}

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

/** The line on which a block adds to its stream; its class where that is not known. */
export function blockPlace({ report }: Pick<Evidence, "report">, block: BlockReport | undefined) {
  const add = block?.lines?.find(({ what }) => what === "add");
  const owner = report.modules.find(({ path }) => path === block?.path);
  return {
    file: add?.file ?? owner?.file ?? null,
    line: add?.line ?? owner?.line ?? null,
    module: block?.path ?? null,
  };
}
