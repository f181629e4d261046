/** The module tree as a view lists it: filtered, and in the order that was asked for. */
import type { BlockReport, Finding, RunReport } from "../protocol/report.ts";
import { isWithin } from "./blocks.ts";
import { type ModuleNode, moduleTree } from "./moduleTree.ts";
import { toNumber } from "./number.ts";

export const moduleOrders = ["source", "severity", "forward", "gradient"] as const;
export type ModuleOrder = (typeof moduleOrders)[number];

export interface ListedModule extends Omit<ModuleNode, "children"> {
  /** Of this module and those below it. */
  readonly findings: number;
  readonly worst: Finding["severity"] | null;
  /** Whether it is a residual block. */
  readonly isBlock: boolean;
  /** "Pre-LN, LayerNorm: lines 17, 21" of a block; null of other modules. */
  readonly structure: string | null;
  readonly children: readonly ListedModule[];
}

export interface ModuleList {
  readonly root: ListedModule;
  /** Modules that match the filter. */
  readonly matches: number;
}

/** Modules whose path or class holds `filter`, in lower case, with those above them. */
export function moduleList(report: RunReport, filter: string, order: ModuleOrder): ModuleList {
  const blocks = new Map(report.blocks.map((block) => [block.path, block]));
  const wanted = filter.toLowerCase();
  let matches = 0;
  const list = (node: ModuleNode): ListedModule | null => {
    const own = `${node.path} ${node.class ?? ""}`.toLowerCase().includes(wanted);
    if (own) matches++;
    const children = node.children.map(list).filter((child) => child !== null);
    if (!own && children.length === 0 && node.path !== "") return null;
    const findings = report.findings.filter(
      ({ module }) => module !== null && isWithin(module, node.path),
    );
    const worst = severities.find((severity) => findings.some((it) => it.severity === severity));
    return {
      ...node,
      findings: findings.length,
      worst: worst ?? null,
      isBlock: blocks.has(node.path),
      structure: structureOf(blocks.get(node.path) ?? null),
      children: sorted(children, order),
    };
  };
  const tree = moduleTree(report);
  const root = list(tree);
  const nothing = { findings: 0, worst: null, isBlock: false, structure: null, children: [] };
  return { root: root ?? { ...tree, ...nothing }, matches };
}

function structureOf(block: BlockReport | null): string | null {
  if (block === null) return null;
  const { placement, norms = [], lines = [] } = block;
  const numbers = [...new Set(lines.map(({ line }) => line))];
  const place = numbers.length === 0 ? "" : `: lines ${numbers.join(", ")}`;
  return `${[placement, ...norms].join(", ")}${place}`;
}

const severities = ["error", "warning", "information"] as const;

function sorted(children: readonly ListedModule[], order: ModuleOrder): readonly ListedModule[] {
  if (order === "source") return children;
  const key = (module: ListedModule): number => {
    if (order !== "severity") return magnitude(module[order]);
    const rank = module.worst === null ? 0 : 3 - severities.indexOf(module.worst);
    return rank * 1e6 + module.findings;
  };
  return children.toSorted((a, b) => key(b) - key(a));
}

/** Largest first, and what is no number before all. */
function magnitude(num: ModuleNode["forward"]): number {
  if (num === null) return -1;
  const value = toNumber(num);
  return Number.isFinite(value) ? value : Number.MAX_VALUE;
}
