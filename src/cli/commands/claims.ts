/** `normscope claims`: the published claims about Pre-LN and Post-LN, run live. */
import { resolve } from "node:path";
import { jobsThatFit } from "../../client/jobs.ts";
import { wrongUsage } from "../../errors.ts";
import { claimTable, verdict } from "../../present/claims/claim.ts";
import { claimsPage } from "../../present/claims/claimsPage.ts";
import { experiments } from "../../present/claims/experiments.ts";
import { textPlot } from "../../present/textPlot.ts";
import {
  type ClaimResult,
  type ExperimentName,
  experimentNames,
} from "../../protocol/claimsPage.ts";
import { createLab } from "../claims/lab.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { writeLines } from "../output.ts";
import { textTable } from "../textTable.ts";
import { wrap } from "../textWidth.ts";
import { type OutputOptions, told, writeJson } from "./shared.ts";

export interface ClaimsOptions extends OutputOptions {
  readonly only?: string;
  readonly seeds: number;
  readonly jobs?: number;
}

export async function claims(context: Context, options: ClaimsOptions): Promise<void> {
  const chosen = options.only?.split(",").map(nameOf) ?? experimentNames;
  const { err, out } = context;
  const lab = createLab({
    modelsFolder: context.modelsFolder,
    jobs: options.jobs ?? jobsThatFit(),
    newEngine: context.newEngine,
    told: () => err.write("."),
  });
  const results: ClaimResult[] = [];
  try {
    for (const name of chosen) {
      err.write(`${name} `);
      const start = performance.now();
      const measured = await experiments[name](lab, options.seeds);
      const seconds = (performance.now() - start) / 1000;
      err.write(` ${seconds.toFixed(0)} s\n`);
      const made = measured.map((claim): ClaimResult => ({ ...claim, seconds }));
      results.push(...made);
      if (options.json !== "-")
        for (const claim of made) writeLines(out, claimText(context, claim));
    }
  } finally {
    await lab.end();
  }
  writeJson(context, results, options.json);
  if (options.html !== undefined) {
    context.files.write(resolve(context.cwd, options.html), claimsPage(results));
    told(context, options.html, options.json);
  }
}

function nameOf(text: string): ExperimentName {
  const known = experimentNames.find((name) => name === text);
  if (known !== undefined) return known;
  throw wrongUsage(`--only needs names of ${experimentNames.join(", ")}; got '${text}'`);
}

function claimText(context: Context, claim: ClaimResult): string[] {
  const { out } = context;
  const columns = Math.min(out.columns, 100);
  const paragraph = (text: string) => wrap(text, columns).map((line) => out.paint("dim", line));
  return [
    ...heading(`${claim.title}: ${verdict(claim)}`, out),
    ...textTable(claimTable(claim), out),
    ...claim.plots.flatMap((plot) => ["", ...textPlot(plot, { columns, rows: 12 })]),
    "",
    ...paragraph(claim.text),
    ...paragraph(`${claim.setting} ${claim.source}`),
  ];
}
