/** What a run of the form's content would hold, against what there is: known before it is made. */
import { formatBytes } from "../../src/present/number.ts";
import type { MemoryEstimate } from "../../src/protocol/report.ts";
import type { MemoryShown } from "../../src/protocol/webview.ts";
import { region } from "../page.ts";
import { type Child, element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";

export const memoryRegion = region<MemoryShown | null>({
  name: "memory",
  page: "configure",
  model: ({ form, memory }) => (form === null ? null : memory),
  draw: (memory) => (memory === null ? [] : [element("h2", {}, t("Memory")), ...bodyOf(memory)]),
});

function bodyOf(memory: MemoryShown): Child[] {
  if ("failure" in memory) {
    const text = t("What a run needs is not known: {0}", memory.failure.message);
    return [element("p", { class: "note", role: "status" }, text)];
  }
  const { estimate } = memory;
  const lines = [element("p", { role: "status" }, needText(estimate))];
  if (estimate.wouldFit !== null) {
    const text = t("It does not fit and would be refused. What would fit: {0}", estimate.wouldFit);
    lines.push(element("p", { class: "mistake", role: "status" }, icon("warning"), text));
  }
  return lines;
}

function needText(estimate: MemoryEstimate): string {
  const { neededBytes, weightsBytes, activationsBytes, workspaceBytes, freeBytes } = estimate;
  const place = estimate.place === "this machine" ? t("this machine") : estimate.place;
  return t(
    "A run needs some {0} (weights {1}, values {2}, workspace {3}); {4} has {5} free",
    formatBytes(neededBytes),
    formatBytes(weightsBytes),
    formatBytes(activationsBytes),
    formatBytes(workspaceBytes),
    place,
    formatBytes(freeBytes),
  );
}
