/** The residual blocks of a report in the order of depth, and what belongs to one. */
import type { BlockReport, ModuleReport, ParameterReport, RunReport } from "../protocol/report.ts";

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
  const byPath = new Map<string, StackedBlock[]>();
  for (const block of report.blocks) {
    const dot = block.path.lastIndexOf(".");
    const label = block.path.slice(dot + 1);
    const stack = dot < 0 ? "" : block.path.slice(0, dot);
    byPath.set(stack, [...(byPath.get(stack) ?? []), { label, block }]);
  }
  return Array.from(byPath, ([path, blocks]) => ({ path, blocks }));
}

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
  const owner = ownersInOrder.findLast((path) => matrices.some((it) => ownerOf(it) === path));
  return matrices.findLast((it) => owner === undefined || ownerOf(it) === owner) ?? null;
}

/** Path of the module that a parameter hangs on. */
const ownerOf = ({ name }: ParameterReport): string =>
  name.slice(0, Math.max(name.lastIndexOf("."), 0));
