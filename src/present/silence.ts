/** Findings that the user does not want to see: by a comment on the line or in the file, or everywhere. */
import type { RunReport } from "../protocol/report.ts";

/** The comment that silences a code on its line. */
export const silenceComment = (code: string): string => `# normscope: ignore[${code}]`;

/** The comment that, on a line of its own, silences a code in its file. */
export const silenceFileComment = (code: string): string => `# normscope: ignore-file[${code}]`;

/** Whether a code is silenced at a line of `text`. */
export function silencing(
  text: string,
  everywhere: readonly string[],
): (problem: { readonly line: number | null; readonly code: string }) => boolean {
  const inFile = new Set(everywhere);
  const onLine = new Set<string>();
  text.split(/\r?\n/).forEach((line, i) => {
    for (const [, scope, codes = ""] of line.matchAll(
      /#\s*normscope:\s*ignore(-file)?\[([^\]]*)\]/g,
    )) {
      for (const code of codes.split(",").map((it) => it.trim())) {
        if (scope === undefined) onLine.add(`${i + 1} ${code}`);
        else inFile.add(code);
      }
    }
  });
  return ({ line, code }) => inFile.has(code) || onLine.has(`${line} ${code}`);
}

/** The report without findings that are silenced. `textOf` gives "" for a file that is gone. */
export function withoutSilenced<Report extends Pick<RunReport, "findings">>(
  report: Report,
  everywhere: readonly string[],
  textOf: (file: string) => string,
): Report {
  const files = new Map<string | null, ReturnType<typeof silencing>>();
  const isSilenced = ({ file, line, code }: RunReport["findings"][number]): boolean => {
    const known = files.get(file) ?? silencing(file === null ? "" : textOf(file), everywhere);
    files.set(file, known);
    return known({ line, code });
  };
  return { ...report, findings: report.findings.filter((finding) => !isSilenced(finding)) };
}
