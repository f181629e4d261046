/** The layers of a stack share their lines: what holds for several is told once. */
import type { Finding } from "../protocol/report.ts";
import { counted } from "./evidence.ts";

/** The first finding of each code and line, with how many more calls it holds for. */
export function oncePerLine(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.code} ${finding.file}:${finding.line}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1) return group;
    const message = `${first.message} (and so at ${counted(group.length - 1, "more call")} of this line)`;
    return [{ ...first, message, evidence: { ...first.evidence, calls: group.length } }];
  });
}
