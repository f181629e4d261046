/** The HTML page of a run of training. */
import type { Num } from "../../protocol/report.ts";
import type { TrainReport, TrainStep } from "../../protocol/training.ts";
import { findingNotices } from "../findings.ts";
import { heatMap } from "../html/heatMap.ts";
import { htmlTable } from "../html/htmlTable.ts";
import { noticeSection } from "../html/noticeSection.ts";
import { page } from "../html/page.ts";
import { xyPlot } from "../html/xyPlot.ts";
import { toNumber } from "../number.ts";
import { trainingFacts } from "./facts.ts";
import { linePlot, lossPlot } from "./history.ts";

export function trainingPage(name: string, report: TrainReport): string {
  const { steps, layers, blocks } = report;
  const over = (of: (step: TrainStep) => Num) =>
    steps.map((step) => [step.step, toNumber(of(step))] as const);
  const columns = (of: (step: TrainStep) => readonly Num[]) =>
    steps.map((step) => ({ label: String(step.step), values: of(step) }));
  const plots = [
    xyPlot(lossPlot([{ name: "loss", report }]), "loss"),
    xyPlot(
      linePlot(
        "Gradient norm",
        "Of all parameters together, before clipping",
        over((at) => at.gradient),
        true,
      ),
      "gradient",
    ),
    xyPlot(
      linePlot(
        "Learning rate",
        "As the schedule gave it",
        over((at) => at.lr),
        false,
      ),
      "rate",
    ),
    heatMap(
      {
        title: "Gradient norm per layer",
        definition: "Norm of the gradients of a layer's parameters",
        rows: layers,
        columns: columns((at) => at.layerGradients),
      },
      "gradients",
    ),
    heatMap(
      {
        title: "Update / weight per layer",
        definition: "Norm of the update over the norm of the weights before it",
        rows: layers,
        columns: columns((at) => at.updateRatios),
      },
      "updates",
    ),
    ...(blocks.length === 0
      ? []
      : [
          heatMap(
            {
              title: "Residual stream RMS per block",
              definition: "Root mean square of what leaves the block",
              rows: blocks,
              columns: columns((at) => at.streamRms),
            },
            "streams",
          ),
        ]),
  ];
  return page(`Training of ${name}`, `Normscope ${report.normscope}`, [
    { heading: "Run", body: htmlTable(trainingFacts(report), "facts") },
    ...noticeSection("Findings", findingNotices(report.findings)),
    { heading: "Over steps", body: `<div class="charts">${plots.join("\n")}</div>` },
  ]);
}
