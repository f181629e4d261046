/** Entry of the panel: one tab for each of its pages. */
import type { PanelPage } from "../src/protocol/webview.ts";
import { type Region, startPage } from "./page.ts";
import { attentionRegion } from "./pages/attention.ts";
import { claimsRegion } from "./pages/claims.ts";
import { compareRegion } from "./pages/compare.ts";
import { configureRegion } from "./pages/configure.ts";
import { memoryRegion } from "./pages/memory.ts";
import { statusRegion } from "./pages/status.ts";
import { sweepRegion } from "./pages/sweep.ts";
import { sweepFormRegion } from "./pages/sweepForm.ts";
import { trainRegion } from "./pages/train.ts";
import { trainingChartsRegion, trainingListRegion } from "./pages/trainings.ts";
import { valueRegion } from "./pages/value.ts";
import { registerControls, tabs } from "./ui/controls.ts";
import { element } from "./ui/dom.ts";
import { t } from "./ui/strings.ts";

const pages: Readonly<Record<PanelPage, Region>> = {
  configure: configureRegion,
  compare: compareRegion,
  value: valueRegion,
  attention: attentionRegion,
  train: trainRegion,
  sweep: sweepFormRegion,
  claims: claimsRegion,
};

/** Below a page's own region. */
const below: Readonly<Partial<Record<PanelPage, readonly Region[]>>> = {
  configure: [memoryRegion],
  train: [trainingListRegion, trainingChartsRegion],
  sweep: [sweepRegion],
};
const others = Object.values(below).flat();

const titles = (): Readonly<Record<PanelPage, string>> => ({
  configure: t("Configure"),
  compare: t("Compare"),
  value: t("One value"),
  attention: t("Attention"),
  train: t("Train"),
  sweep: t("Sweep"),
  claims: t("Claims"),
});

function bodyOf(id: string, elements: ReadonlyMap<string, HTMLElement>): HTMLElement[] {
  if (!isPage(id)) return [];
  const regions = [pages[id], ...(below[id] ?? [])];
  return regions.flatMap(({ name }) => elements.get(name) ?? []);
}

const isPage = (id: string): id is PanelPage => Object.hasOwn(pages, id);

registerControls();
const regions = [statusRegion, ...Object.values(pages), ...others];
startPage(regions, (elements, first, openPage) => {
  const strip = tabs({
    label: t("Pages"),
    pages: Object.entries(titles()).map(([id, title]) => ({
      id,
      title,
      body: element("div", {}, ...bodyOf(id, elements)),
    })),
    active: first,
    onChange: (id) => {
      if (isPage(id)) openPage(id);
    },
  });
  const status = elements.get("status") ?? element("div");
  return { element: element("div", {}, status, strip.element), open: strip.open };
});
