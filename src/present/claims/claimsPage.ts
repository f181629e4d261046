/** The HTML page of the claims. */
import type { ClaimResult } from "../../protocol/claimsPage.ts";
import { escapeHtml } from "../html/escape.ts";
import { htmlTable } from "../html/htmlTable.ts";
import { page, type Section } from "../html/page.ts";
import { xyPlot } from "../html/xyPlot.ts";
import { claimTable, verdict } from "./claim.ts";

export const claimsPage = (claims: readonly ClaimResult[]): string =>
  page("Pre-LN and Post-LN: the published claims, run here", "Normscope", claims.map(section));

function section(claim: ClaimResult): Section {
  const { id, title, source, setting, plots, text } = claim;
  return {
    heading: `${title}: ${verdict(claim)}`,
    body: [
      `<p>${escapeHtml(text)}</p>`,
      htmlTable(claimTable(claim)),
      `<div class="charts">${plots.map((plot, at) => xyPlot(plot, `${id}-${at}`)).join("\n")}</div>`,
      `<p>${escapeHtml(setting)} ${escapeHtml(source)}</p>`,
    ].join("\n"),
  };
}
