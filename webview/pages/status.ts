/** What is going on: a run in progress, or what went wrong with the last one. */
import type { Failure, RunProgress } from "../../src/protocol/webview.ts";
import { type Page, region } from "../page.ts";
import { button, progressRing } from "../ui/controls.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";

export interface StatusModel {
  readonly progress: RunProgress | null;
  readonly failure: Failure | null;
  readonly isTrusted: boolean;
}

export const statusRegion = region<StatusModel>({
  name: "status",
  page: null,
  model: ({ progress, failure, isTrusted }) => ({ progress, failure, isTrusted }),
  draw: ({ progress, failure, isTrusted }, page) => [
    ...(isTrusted ? [] : [restricted()]),
    ...(progress === null ? [] : [running(progress, page)]),
    ...(failure === null ? [] : [failed(failure, page)]),
  ],
});

const restricted = (): HTMLElement =>
  element(
    "p",
    { class: "notice" },
    icon("shield"),
    t("Restricted Mode: nothing of this workspace is run until you trust it."),
  );

function running({ subject, stage, since }: RunProgress, page: Page): HTMLElement {
  const clock = element("span", { class: "clock" });
  const tick = () => {
    if (!clock.isConnected && clock.textContent !== "") return clearInterval(timer);
    clock.textContent = `${Math.max(0, Math.round((Date.now() - since) / 1000))} s`;
  };
  const timer = setInterval(tick, 1000);
  tick();
  const text = element("span", { role: "status" }, `${subject}: ${stage}`);
  return element(
    "div",
    { class: "progress" },
    progressRing(subject),
    text,
    clock,
    button({ label: t("Cancel"), onPress: () => page.send({ type: "cancel" }) }),
  );
}

function failed({ code, message, hint, place }: Failure, page: Page): HTMLElement {
  const more: Child[] = [];
  if (place !== null) {
    const { file, line } = place;
    const show = () => page.send({ type: "reveal", runId: "", file, line });
    more.push(button({ label: `${file}:${line}`, icon: "go-to-file", onPress: show }));
  }
  return element(
    "div",
    { class: "failure", role: "alert" },
    element("p", {}, icon("error"), element("strong", {}, t("The run failed. ")), message),
    ...(hint === null ? [] : [element("p", {}, hint)]),
    ...more,
    element("p", { class: "definition" }, code),
  );
}
