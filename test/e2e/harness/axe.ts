/** What axe says of a frame: WCAG A and AA. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}
declare const axe: { run(context: unknown, options: unknown): Promise<AxeResults> };

/** One line a violation: `color-contrast (serious): <p …>`. */
export async function axeViolations(frame: Frame | Page): Promise<string[]> {
  await frame.evaluate(source);
  const { violations } = await frame.evaluate(() =>
    axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }),
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html}\n${failureSummary ?? ""}`),
  );
}
