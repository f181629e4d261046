/** Every word that the editor or a page shows has its German one. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hover } from "../../src/present/hover.ts";
import { summary } from "../../src/present/summary.ts";
import type { RunReport } from "../../src/protocol/report.ts";
import { deviceLabels, modeLabels } from "../../webview/model/configuration.ts";
import { preReport } from "../fixtures/reports.ts";

const root = new URL("../../", import.meta.url);
const german: Record<string, string> = JSON.parse(
  readFileSync(new URL("l10n/bundle.l10n.de.json", root), "utf8"),
);

function textsIn(folder: string, call: RegExp): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const source = readFileSync(new URL(`${folder}/${file}`, root), "utf8");
      return [...source.matchAll(call)].map(([, text = '""']): string => JSON.parse(text));
    });
}

const literal = String.raw`\(\s*("(?:[^"\\]|\\.)*")`;
const written = [
  ...textsIn("src/extension", new RegExp(String.raw`\bl10n\.t${literal}`, "g")),
  ...textsIn("webview", new RegExp(String.raw`(?<![\w.])t${literal}`, "g")),
];

function withWeights(): RunReport {
  const report = preReport();
  const file = { file: "tiny.pt", format: "PyTorch", sha256: "0", key: "", tensors: 1 };
  const weights = { ...file, missing: [], unexpected: [] };
  return { ...report, source: { ...report.source, weights } };
}

/** Labels of tables and facts, which are made without knowing a language. */
function labels(): string[] {
  const shown = hover(preReport(), "pre.py", 24);
  const columns = [...(shown?.operations.columns ?? []), ...(shown?.passes.columns ?? [])];
  return [
    shown?.definition ?? "",
    ...columns.flatMap(({ label, group }) => (group === undefined ? [label] : [label, group])),
    ...summary(withWeights()).map(({ label }) => label),
    ...["error", "warning", "information"],
    ...Object.values(deviceLabels),
    ...Object.values(modeLabels),
  ];
}

test("no word is missing, and none is left over", () => {
  expect(written.length).toBeGreaterThan(150);
  const all = new Set([...written, ...labels()]);
  expect([...all].filter((text) => german[text] === undefined)).toEqual([]);
  expect(Object.keys(german).filter((text) => !all.has(text))).toEqual([]);
});

test("a translation has the same places for values", () => {
  const places = (text: string) => (text.match(/\{\d\}/g) ?? []).toSorted();
  for (const [text, translated] of Object.entries(german)) {
    expect({ text, places: places(translated) }).toEqual({ text, places: places(text) });
  }
});
