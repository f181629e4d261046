/** The residual blocks of a report in the order of depth, and what belongs to one. */
import type { BlockReport, ModuleReport, ParameterReport, RunReport } from "../protocol/report.ts";
import { groupBy } from "./groupBy.ts";

/** Blocks that follow one another: `blocks.0`, `blocks.1`, … */
export interface Stack {
  /** Path of the container: "blocks", "encoder.layers". */
  readonly path: string;
  readonly blocks: readonly StackedBlock[];
}

export interface StackedBlock {
  /** Position as the path has it: "0". */
  readonly label: string;
  readonly block: BlockReport;
}

export function stacks(report: RunReport): Stack[] {
  const byContainer = groupBy(report.blocks, ({ path }) => parentOf(path));
  return Array.from(byContainer, ([path, blocks]) => ({
    path,
    blocks: blocks.map((block) => ({ label: lastPart(block.path), block })),
  }));
}

/** "blocks" of "blocks.0"; "" of a path without a dot. */
export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("."), 0));

/** "0" of "blocks.0". */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** Whether `path` is `ancestor` or below it. */
export const isWithin = (path: string, ancestor: string): boolean =>
  ancestor === "" || path === ancestor || path.startsWith(`${ancestor}.`);

/** The part of a path below `ancestor`: "attn" of "blocks.0.attn" in "blocks.0". */
export const pathBelow = (path: string, ancestor: string): string =>
  path !== ancestor && isWithin(path, ancestor) && ancestor !== ""
    ? path.slice(ancestor.length + 1)
    : path;

export const moduleAt = (report: RunReport, path: string): ModuleReport | null =>
  report.modules.find((module) => module.path === path) ?? null;

const linearOps = new Set(["linear", "matmul", "mm", "bmm", "addmm", "einsum", "conv1d"]);

/**
 * The weight through which the FFN writes into the stream: that of the last linear map which ran
 * within the block's last residual branch. Names differ from model to model and registration order
 * is not the order of the calls (LLaMA registers w1, w2, w3 and ends with w2), so neither decides.
 */
export function ffnWeight(report: RunReport, block: BlockReport): ParameterReport | null {
  const branch = block.branches.at(-1)?.path ?? block.path;
  const matrices = report.parameters.filter(
    ({ name, shape }) => shape.length === 2 && isWithin(name, branch),
  );
  const ownersInOrder = report.values
    .filter(({ op, module }) => linearOps.has(op) && module !== null && isWithin(module, branch))
    .map(({ module }) => module);
  const owner = ownersInOrder.findLast((path) => matrices.some((it) => parentOf(it.name) === path));
  return matrices.findLast((it) => owner === undefined || parentOf(it.name) === owner) ?? null;
}
