/** A table of the modules or parameters that two runs have, the farthest apart first. */
import type { ComparedRow } from "../../src/present/compareReports.ts";
import { tableCsv, tableJson } from "../charts/tableFiles.ts";
import { pairTable, type RunPair } from "../model/comparison.ts";
import type { Page } from "../page.ts";
import { button, select, textField } from "../ui/controls.ts";
import { type Child, element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";
import { nativeTable } from "../ui/table.ts";

const shownAtFirst = 40;

export function pairSection(pair: RunPair, runId: string, page: Page): Child[] {
  const place = element("div", {});
  let kind = page.recall("compare.kind", "modules");
  let filter = page.recall("compare.filter", "");
  let isAll = false;

  const rowsNow = (): ComparedRow[] => {
    const rows = kind === "parameters" ? pair.parameters : pair.modules;
    return rows.filter(({ path }) => path.includes(filter.trim()));
  };
  const draw = () => {
    const rows = rowsNow();
    const shown = isAll ? rows : rows.slice(0, shownAtFirst);
    const table = pairTable(title(), shown, pair);
    const count = element(
      "p",
      { class: "note", role: "status" },
      t(
        "{0} of {1}",
        shown.length,
        (kind === "parameters" ? pair.parameters : pair.modules).length,
      ),
    );
    const more = button({
      label: t("Show all {0}", rows.length),
      onPress: () => {
        isAll = true;
        draw();
      },
    });
    const reveal = (i: number): Node | null => {
      const path = shown[i]?.path;
      if (path === undefined || kind === "parameters") return null;
      return linkTo(path, () => page.send({ type: "revealModule", runId, path }));
    };
    place.replaceChildren(
      count,
      nativeTable(table, { head: reveal }),
      ...(shown.length < rows.length ? [more] : []),
    );
  };
  const title = () => t("{0} and {1}, the farthest apart first", ...pair.names);
  const save = (ending: "csv" | "json") => {
    const table = pairTable(title(), rowsNow(), pair);
    const content = ending === "csv" ? tableCsv(table) : tableJson(table);
    page.send({ type: "save", name: `${pair.names.join("-")}.${ending}`, content });
  };
  draw();
  return [
    element("h2", {}, title()),
    element(
      "div",
      { class: "form" },
      select({
        label: t("Rows"),
        value: kind,
        choices: [
          { value: "modules", label: t("Modules") },
          { value: "parameters", label: t("Parameters") },
        ],
        onChange: (next) => {
          kind = next;
          page.remember("compare.kind", next);
          draw();
        },
      }),
      textField({
        label: t("Filter by path"),
        value: filter,
        placeholder: "blocks.0",
        onChange: (next) => {
          filter = next;
          page.remember("compare.filter", next);
          draw();
        },
      }),
      element(
        "div",
        { class: "actions" },
        button({ label: t("Save as CSV"), onPress: () => save("csv") }),
        button({ label: t("Save as JSON"), onPress: () => save("json") }),
      ),
    ),
    place,
    ...onlyIn(pair.names[0], pair.onlyA),
    ...onlyIn(pair.names[1], pair.onlyB),
  ];
}

function linkTo(path: string, onPress: () => void): HTMLElement {
  const link = element("button", { class: "link", type: "button" }, path === "" ? "(model)" : path);
  link.addEventListener("click", onPress);
  return link;
}

const onlyIn = (name: string, paths: readonly string[]): HTMLElement[] =>
  paths.length === 0
    ? []
    : [element("p", { class: "note" }, t("Only in {0}: {1}", name, paths.join(", ")))];
