/** A verdict as SARIF 2.1.0 (OASIS), which code hosts show beside the lines. */
import type { Issue, Verdict } from "./verdict.ts";

const levels = { error: "error", warning: "warning", information: "note" } as const;

/** `fallback`: the file that an issue without a place is shown in. */
export function sarif({ issues, version }: Verdict, fallback: string): string {
  const codes = [...new Set(issues.map(({ code }) => code))];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Normscope",
            version,
            rules: codes.map((id) => ({ id, shortDescription: { text: id } })),
          },
        },
        results: issues.map((issue) => result(issue, codes, fallback)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** A path as a URI reference: no mark in a name begins a scheme, a query or a fragment. */
const reference = (path: string): string =>
  encodeURI(path).replace(/[:?#]/g, (character) => encodeURIComponent(character));

function result(
  { code, severity, message, file, line, passes }: Issue,
  codes: readonly string[],
  fallback: string,
) {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    // What the baseline knows is no news.
    baselineState: passes ? "unchanged" : "new",
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: reference(file ?? fallback) },
          region: { startLine: line ?? 1 },
        },
      },
    ],
  };
}
