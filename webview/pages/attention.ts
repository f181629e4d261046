/** Attention heads: entropy and largest logit, layer by layer. */
import { heatView } from "../charts/heatView.ts";
import { type AttentionGrids, attentionGrids } from "../model/attentionGrids.ts";
import type { Grid } from "../model/grid.ts";
import { type Page, region } from "../page.ts";
import { type Child, element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { noRun, runTitle } from "./shared.ts";

interface AttentionModel {
  readonly runs: readonly {
    readonly runId: string;
    readonly title: string;
    readonly lines: readonly AttentionGrids[];
  }[];
}

export const attentionRegion = region<AttentionModel>({
  name: "attention",
  page: "attention",
  model: ({ shown }) => ({
    runs: shown.map((run) => ({
      runId: run.summary.id,
      title: runTitle(run),
      lines: attentionGrids(run.report),
    })),
  }),
  draw: ({ runs }, page) => [
    element("h1", {}, t("Attention")),
    ...(runs.length === 0 ? [noRun()] : runs.flatMap((run) => ofRun(run, page))),
  ],
});

function ofRun({ runId, title, lines }: AttentionModel["runs"][number], page: Page): Child[] {
  const head = element("h2", {}, title);
  if (lines.length === 0) {
    return [head, element("p", { class: "empty" }, t("No attention was found in this run."))];
  }
  const map = (grid: Grid) =>
    heatView(page, grid, {
      onPick: (row) => {
        const place = grid.rows[row]?.place ?? null;
        if (place !== null) page.send({ type: "reveal", runId, ...place });
      },
    });
  const maps = lines.flatMap(({ entropy, maxLogit }) => [map(entropy), map(maxLogit)]);
  return [head, element("div", { class: "charts" }, ...maps)];
}
