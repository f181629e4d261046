/** One line of numbers for a class: all modules that are instances of it, folded over depth. */
import type { ModuleReport, RunReport } from "../protocol/report.ts";
import { isWithin } from "./blocks.ts";
import { depthProfiles } from "./depthProfiles.ts";
import { fold, joined } from "./lineNotes.ts";
import { formatCount, formatNumber } from "./number.ts";

export interface ClassNote {
  /** `→ 1.0…3.4 ▁▃▅▇  ← 2.0e-3…1.0e-3 ▇▅▃▁  ×12`, or what the model as a whole gave. */
  readonly text: string;
  readonly findings: number;
}

/** null where no instance was measured. */
export function classNote(report: RunReport, file: string, name: string): ClassNote | null {
  const modules = report.modules.filter((it) => it.class === name && it.file === file);
  const measured = modules.filter(({ calls }) => calls.length > 0);
  if (measured.length === 0) return null;
  const isModel = measured.some(({ path }) => path === "");
  return {
    text: isModel ? modelText(report) : moduleText(measured),
    findings: countFindings(report, modules),
  };
}

function modelText(report: RunReport): string {
  const [profile] = depthProfiles(report);
  const norms = new Set(report.blocks.flatMap((block) => block.norms ?? []));
  const norm = norms.size === 0 ? "" : ` (${[...norms].join(", ")})`;
  const blocks =
    profile === undefined ? "" : `${profile.labels.length} × ${profile.placement}${norm}`;
  return [
    `loss ${formatNumber(report.loss)}`,
    blocks,
    `${formatCount(report.graph.parameters)} parameters`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function moduleText(modules: readonly ModuleReport[]): string {
  const last = modules.map(({ calls }) => calls.at(-1));
  const forward = fold(
    last.map((call) => call?.activation[0] ?? null),
    8,
  );
  const gradients = last.map((call) => call?.gradient[0] ?? null);
  const hasGradient = gradients.some((it) => it !== null);
  return [
    `→ ${joined(forward)}`,
    hasGradient ? `← ${joined(fold(gradients, 8))}` : "",
    modules.length > 1 ? `×${modules.length}` : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function countFindings(report: RunReport, modules: readonly ModuleReport[]): number {
  const paths = modules.map(({ path }) => path);
  return report.findings.filter(
    ({ module }) => module !== null && paths.some((path) => isWithin(module, path)),
  ).length;
}
