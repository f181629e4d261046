/** Entry of the panel: one tab for each of its pages. */
import type { PanelPage } from "../src/protocol/webview.ts";
import { type Region, startPage } from "./page.ts";
import { attentionRegion } from "./pages/attention.ts";
import { compareRegion } from "./pages/compare.ts";
import { configureRegion } from "./pages/configure.ts";
import { statusRegion } from "./pages/status.ts";
import { valueRegion } from "./pages/value.ts";
import { registerControls, tabs } from "./ui/controls.ts";
import { element } from "./ui/dom.ts";
import { t } from "./ui/strings.ts";

const pages: Readonly<Record<PanelPage, Region>> = {
  configure: configureRegion,
  compare: compareRegion,
  value: valueRegion,
  attention: attentionRegion,
};

const titles = (): Readonly<Record<PanelPage, string>> => ({
  configure: t("Configure"),
  compare: t("Compare"),
  value: t("One value"),
  attention: t("Attention"),
});

const isPage = (id: string): id is PanelPage => Object.hasOwn(pages, id);

registerControls();
startPage([statusRegion, ...Object.values(pages)], (elements, first, openPage) => {
  const strip = tabs({
    label: t("Pages"),
    pages: Object.entries(titles()).map(([id, title]) => ({
      id,
      title,
      body: elements.get(id) ?? element("div"),
    })),
    active: first,
    onChange: (id) => {
      if (isPage(id)) openPage(id);
    },
  });
  const status = elements.get("status") ?? element("div");
  return { element: element("div", {}, status, strip.element), open: strip.open };
});
