/** The modules of a report as a tree, with the numbers of their last call. */
import type { ModuleReport, Num, RunReport } from "../protocol/report.ts";
import { isWithin, lastPart, moduleAt, parentOf } from "./blocks.ts";
import { groupBy } from "./groupBy.ts";

export interface ModuleNode {
  /** "blocks.0.attn"; "" is the model. */
  readonly path: string;
  /** Last part of the path: "attn". */
  readonly name: string;
  /** null for a container that was never called (ModuleList). */
  readonly class: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly calls: number;
  /** Elements of the parameters at and below this module. */
  readonly parameters: number;
  /** RMS of the first output of the last call. */
  readonly forward: Num | null;
  readonly gradient: Num | null;
  readonly children: readonly ModuleNode[];
}

export function moduleTree(report: RunReport): ModuleNode {
  const below = allPaths(report.modules).filter((path) => path !== "");
  const childrenOf = groupBy(below, parentOf);
  const node = (path: string): ModuleNode => {
    const module = moduleAt(report, path);
    const call = module?.calls.at(-1);
    return {
      path,
      name: lastPart(path),
      class: module?.class ?? null,
      file: module?.file ?? null,
      line: module?.line ?? null,
      calls: module?.calls.length ?? 0,
      parameters: countParameters(report, path),
      forward: call?.activation[0]?.rms ?? null,
      gradient: call?.gradient[0]?.rms ?? null,
      children: (childrenOf.get(path) ?? []).map(node),
    };
  };
  return node("");
}

/** Every module and the containers above it; positions in lists in their order. */
function allPaths(modules: readonly ModuleReport[]): string[] {
  const paths = new Set<string>();
  for (const { path } of modules) {
    const parts = path.split(".");
    for (let n = 1; n <= parts.length; n++) paths.add(parts.slice(0, n).join("."));
  }
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const first = new Map([...paths].map((path, i) => [path, i]));
  const isPosition = (path: string) => /(^|\.)\d+$/.test(path);
  return [...paths].sort((a, b) =>
    isPosition(a) && isPosition(b) ? compare(a, b) : (first.get(a) ?? 0) - (first.get(b) ?? 0),
  );
}

const countParameters = (report: RunReport, path: string): number =>
  report.parameters
    .filter(({ name }) => isWithin(name, path))
    .reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
