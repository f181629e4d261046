/** Findings, the gravest first, each with what it rests on and the line it speaks of. */
import type { Notice } from "../../src/present/findings.ts";
import { button } from "../ui/controls.ts";
import { element, icon } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";

const shownAtFirst = 6;
const glyphs = { error: "error", warning: "warning", information: "info" } as const;

export function noticeList(
  notices: readonly Notice[],
  reveal: (file: string, line: number) => void,
): HTMLElement {
  if (notices.length === 0) return element("p", { class: "empty" }, t("No findings."));
  const list = element("ul", { class: "notices" });
  list.append(...notices.slice(0, shownAtFirst).map((notice) => entry(notice, reveal)));
  const place = element("div", {}, list);
  if (notices.length > shownAtFirst) {
    const more = button({
      label: t("Show all {0}", notices.length),
      onPress: () => {
        list.append(...notices.slice(shownAtFirst).map((notice) => entry(notice, reveal)));
        more.remove();
      },
    });
    place.append(more);
  }
  return place;
}

function entry(notice: Notice, reveal: (file: string, line: number) => void): HTMLElement {
  const { severity, message, place, code, evidence } = notice;
  const where = place?.match(/^(?<file>.*):(?<line>\d+)$/)?.groups;
  const [file, line] = [where?.["file"], Number(where?.["line"])];
  const link =
    file === undefined
      ? element("span", { class: "note" }, place ?? "")
      : button({ label: place ?? "", icon: "go-to-file", onPress: () => reveal(file, line) });
  return element(
    "li",
    { class: severity },
    element("p", {}, icon(glyphs[severity]), element("strong", {}, t(severity)), ` ${message}`),
    ...(evidence === "" ? [] : [element("p", { class: "definition" }, evidence)]),
    element("p", {}, link, " ", element("code", {}, code)),
  );
}
