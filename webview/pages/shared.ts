/** What several pages of the panel say alike. */
import { formatNumber } from "../../src/present/number.ts";
import { modelName } from "../../src/present/summary.ts";
import type { ShownRun } from "../../src/protocol/webview.ts";
import { element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";

export const noRun = (): HTMLElement =>
  element(
    "p",
    { class: "empty" },
    t("No run is shown. Press Run above a class, or choose one in the view Runs."),
  );

/** "Pre-LN: PreLNTransformer, loss 6.02". */
export const runTitle = ({ label, report }: ShownRun): string =>
  t("{0}: {1}, loss {2}", label, modelName(report), formatNumber(report.loss));
