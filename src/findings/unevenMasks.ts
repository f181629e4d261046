/** A stack in which some layers hide later positions and others, of the same code, do not. */
import type { AttentionReport, Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";

export function unevenMasks({ report }: Evidence): Finding[] {
  const stacks = new Map<string, AttentionReport[]>();
  for (const one of report.attention) {
    if (one.path === null || !/\d/.test(one.path) || !one.sees) continue;
    const key = `${one.path.replace(/\d+/g, "N")} ${one.file}:${one.line}`;
    stacks.set(key, [...(stacks.get(key) ?? []), one]);
  }
  return [...stacks.values()].flatMap((layers): Finding[] => {
    const open = layers.filter(({ sees }) => sees?.future && sees.past && !sees.hidesFuture);
    const causal = layers.filter(({ sees }) => sees?.past && !sees.future);
    const [first] = open;
    if (!first || causal.length === 0) return [];
    return [
      {
        code: "attention/uneven-masks",
        severity: "warning",
        message: `${counted(causal.length, "layer")} of this stack ${causal.length === 1 ? "hides" : "hide"} later positions, and ${open.length} ${open.length === 1 ? "does" : "do"} not (${open.map(({ path }) => path).join(", ")}): through one open layer the whole model reads the future`,
        file: first.file,
        line: first.line,
        module: first.path,
        evidence: { "causal layers": causal.length, "open layers": open.length },
      },
    ];
  });
}
