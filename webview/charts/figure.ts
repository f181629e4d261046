/** The frame of every chart: title, definition, what the cursor stands on, the numbers, saving. */
import type { Table } from "../../src/present/table.ts";
import type { Page } from "../page.ts";
import { button } from "../ui/controls.ts";
import { element, newId } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { nativeTable } from "../ui/table.ts";
import { pngOf } from "./png.ts";
import { tableCsv, tableJson } from "./tableFiles.ts";

export interface FigureOptions {
  readonly title: string;
  readonly definition: string;
  /** The chart in one sentence. */
  readonly summary: string;
  readonly table: Table;
  /** A picture of its own, with its colours written out. */
  readonly svg: () => string;
  /** Instead of the title as text: a control that chooses what is drawn. */
  readonly chooser?: HTMLElement;
}

export interface Figure {
  readonly element: HTMLElement;
  /** The chart goes here. */
  readonly body: HTMLElement;
  /** Shows and speaks what the cursor stands on; null: the summary again. */
  read(text: string | null): void;
}

export function figure(page: Page, options: FigureOptions): Figure {
  const { title, definition, summary, table } = options;
  const heading = newId("chart");
  const readout = element("p", { class: "readout", "aria-live": "polite" }, summary);
  const body = element("div", { class: "chart" });
  const numbers = element("details", {}, element("summary", {}, t("Numbers")));
  // Hundreds of cells: made when they are asked for.
  numbers.addEventListener("toggle", () => {
    if (numbers.open && numbers.childElementCount === 1) numbers.append(nativeTable(table));
  });
  const made = element(
    "figure",
    { "aria-labelledby": heading },
    element(
      "figcaption",
      {},
      element("h3", { id: heading, class: options.chooser === undefined ? "" : "unseen" }, title),
      ...(options.chooser === undefined ? [] : [options.chooser]),
      saveMenu(page, options),
    ),
    body,
    readout,
    element("p", { class: "definition" }, definition),
    numbers,
  );
  return {
    element: made,
    body,
    read: (text) => {
      readout.textContent = text ?? summary;
    },
  };
}

function saveMenu(page: Page, { title, table, svg }: FigureOptions): HTMLElement {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  const save = (ending: string, content: string | Uint8Array<ArrayBuffer>) =>
    page.send({ type: "save", name: `${name}.${ending}`, content });
  const entry = (label: string, onPress: () => void) => button({ label, onPress });
  const open = element("summary", { title: t("Save this chart") });
  open.append(
    element("span", { class: "codicon codicon-save", "aria-hidden": "true" }),
    element("span", { class: "unseen" }, t("Save: {0}", title)),
  );
  const menu = element(
    "details",
    { class: "menu" },
    open,
    element(
      "div",
      { class: "menu-entries", role: "group", "aria-label": t("Save: {0}", title) },
      entry("SVG", () => save("svg", svg())),
      entry("PNG", () => void pngOf(svg()).then((bytes) => save("png", bytes))),
      entry("CSV", () => save("csv", tableCsv(table))),
      entry("JSON", () => save("json", tableJson(table))),
    ),
  );
  menu.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLElement && target.closest(".menu-entries")) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    menu.open = false;
    open.focus();
  });
  return menu;
}
