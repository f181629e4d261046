/** The published claims: what each experiment shows, the way to run it, and what it gave here. */
import { claimTable, verdict } from "../../src/present/claims/claim.ts";
import {
  type ClaimResult,
  type ClaimsShown,
  type ExperimentName,
  experimentNames,
} from "../../src/protocol/claimsPage.ts";
import { lineView } from "../charts/lineView.ts";
import { plotChart } from "../model/plotChart.ts";
import { type Page, region } from "../page.ts";
import { button } from "../ui/controls.ts";
import { element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { nativeTable } from "../ui/table.ts";

interface ClaimsModel extends ClaimsShown {
  readonly canRun: boolean;
}

export const claimsRegion = region<ClaimsModel>({
  name: "claims",
  page: "claims",
  model: ({ claims, progress, isTrusted }) => ({
    ...claims,
    canRun: progress === null && isTrusted,
  }),
  draw: (model, page) => {
    const all = () => page.send({ type: "runClaims", names: [...experimentNames] });
    const label = t("Run all");
    return [
      element("h1", {}, t("Claims about Pre-LN and Post-LN")),
      element(
        "p",
        { class: "definition" },
        t(
          "Published claims, run here on the bundled lab model; expected is what PyTorch measured.",
        ),
      ),
      element(
        "div",
        { class: "actions" },
        button({ label, icon: "run-all", isDisabled: !model.canRun, onPress: all }),
        ...(model.running === null ? [] : [stop(page)]),
      ),
      ...experimentNames.map((name) => section(name, model, page)),
    ];
  },
});

const stop = (page: Page): HTMLElement =>
  button({ label: t("Stop"), icon: "debug-stop", onPress: () => page.send({ type: "cancel" }) });

function section(
  name: ExperimentName,
  { results, running, canRun }: ClaimsModel,
  page: Page,
): HTMLElement {
  const titles: Readonly<Record<ExperimentName, readonly [title: string, cost: string]>> = {
    depth: [t("Gradient and stream over depth"), t("30 models at initialisation")],
    layers: [t("Gradient over the layers of a translation model"), t("6 models at initialisation")],
    "warm-up": [t("Who needs warm-up"), t("4 runs of 300 steps")],
    "final-loss": [t("Who ends lower"), t("6 runs of 600 steps")],
    rmsnorm: [t("RMSNorm in place of LayerNorm"), t("2 runs of 300 steps")],
  };
  const [title, cost] = titles[name];
  const onPress = () => page.send({ type: "runClaims", names: [name] });
  const label = t("Run: {0}", title);
  const told = results[name] ?? [];
  const state = running?.name === name ? t("running, {0} done", running.done) : cost;
  return element(
    "div",
    { class: "claim" },
    element("h2", {}, title),
    element(
      "div",
      { class: "actions" },
      button({ label, icon: "play", look: "icon", isDisabled: !canRun, onPress }),
      element("span", { class: "definition", role: "status" }, state),
    ),
    ...told.map((claim) => claimOf(claim, page)),
  );
}

function claimOf(claim: ClaimResult, page: Page): HTMLElement {
  const { title, text, setting, source, plots, seconds } = claim;
  const said = verdict(claim);
  const took = t("{0} s", seconds.toFixed(0));
  return element(
    "div",
    {},
    element("h3", {}, icon(said === "shown" ? "pass" : "info"), ` ${title}: ${said}`),
    element("p", {}, text),
    nativeTable(claimTable(claim), { isCaptionSeen: false }),
    element(
      "div",
      { class: "charts" },
      ...plots.map((plot) => lineView(page, plotChart(plot), { onPick: () => {} })),
    ),
    element("p", { class: "definition" }, `${setting} ${source} ${took}`),
  );
}
