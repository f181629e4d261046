/** What stands behind a line's number: every layer, a chart over depth, what the number means. */
import {
  ColorThemeKind,
  type Disposable,
  Hover,
  l10n,
  languages,
  MarkdownString,
  type Position,
  Range,
  type TextDocument,
  window,
} from "vscode";
import { depthImage, imageColours } from "../present/depthImage.ts";
import type { FileNumbers, ShownNote } from "../present/fileNumbers.ts";
import { hover } from "../present/hover.ts";
import { outermost } from "../present/lineNotes.ts";
import { escapeMarkdown, markdownTable } from "../present/markdown.ts";
import type { Table } from "../present/table.ts";
import type { Ctx } from "./context.ts";
import { isPythonFile } from "./outlines.ts";
import { readSettings } from "./settings.ts";
import type { MeasuredByRun } from "./storedRun.ts";

/** Rows of a table before it is shortened: a hover is for a look, the panel for all of it. */
const shownRows = 8;
const shownPrints = 16;

const linkedCommands = ["normscope.showValue", "normscope.pinLayer", "normscope.openPanel"];

export function registerHovers({ numbers }: Ctx): Disposable[] {
  const provider = {
    provideHover(document: TextDocument, position: Position): Hover | null {
      const { enabled, hovers, hoverChart } = readSettings(document.uri);
      if (!enabled || !hovers || !isPythonFile(document)) return null;
      const shown = numbers.of(document);
      if (shown == null) return null;
      const note = shown.notes.find(({ line }) => line === position.line + 1);
      const printed = shown.printed.get(position.line + 1) ?? "";
      if (note === undefined) {
        if (printed === "") return null;
        return new Hover(appendPrinted(markdownText(), printed));
      }
      const range = measuredRange(document, note, shown);
      if (!range.contains(position)) return null;
      return new Hover(appendPrinted(text(note, shown, hoverChart), printed), range);
    },
  };
  return [languages.registerHoverProvider({ language: "python", scheme: "file" }, provider)];
}

/** From where the measured expression begins to the end of its line, behind which the number is. */
function measuredRange(
  document: TextDocument,
  { line, note }: ShownNote,
  { run }: FileNumbers<MeasuredByRun>,
): Range {
  const starts = run.report.values
    .filter((value) => value.file === run.file && value.line === note.line)
    .map(({ column }) => column);
  const { end } = document.lineAt(line - 1).range;
  return new Range(line - 1, Math.min(...starts, end.character), line - 1, end.character);
}

function text(
  { note, change }: ShownNote,
  { run, isStale }: FileNumbers<MeasuredByRun>,
  withChart: boolean,
): MarkdownString {
  const markdown = markdownText();
  const content = hover(run.report, run.file, note.line);
  if (content === null) return markdown;
  markdown.appendMarkdown(`**${escapeMarkdown(content.headline)}**`);
  if (change !== "") markdown.appendMarkdown(`  (${escapeMarkdown(change)})`);
  if (isStale) {
    markdown.appendMarkdown(
      `  \n*${escapeMarkdown(l10n.t("The file was edited since this was run"))}*`,
    );
  }
  const image = withChart ? chart(run, note.line, content.headline) : "";
  if (image !== "") markdown.appendMarkdown(`\n\n${image}`);
  if (content.operations.rows.length > 1) appendTable(markdown, content.operations);
  appendTable(markdown, content.passes);
  markdown.appendMarkdown(`\n\n${escapeMarkdown(l10n.t(content.definition))}\n\n`);
  const links = [
    `[$(graph) ${l10n.t("Histogram and more")}](${commandUri("normscope.showValue", [run.file, note.line])})`,
    `[$(pin) ${l10n.t("Pin a layer")}](command:normscope.pinLayer)`,
  ];
  markdown.appendMarkdown(links.join(" · "));
  return markdown;
}

function markdownText(): MarkdownString {
  const markdown = new MarkdownString("", true);
  markdown.isTrusted = { enabledCommands: linkedCommands };
  return markdown;
}

/** The beginning of what a line printed; the output channel has all of it. */
function appendPrinted(markdown: MarkdownString, printed: string): MarkdownString {
  if (printed === "") return markdown;
  const lines = printed.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, shownPrints);
  if (shown.length < lines.length) shown.push("…");
  markdown.appendMarkdown(`\n\n${l10n.t("Printed by this line")}\n`);
  return markdown.appendCodeblock(shown.join("\n"), "text");
}

const commandUri = (command: string, args: readonly unknown[]): string =>
  `command:${command}?${encodeURIComponent(JSON.stringify(args))}`;

const appendTable = (markdown: MarkdownString, table: Table): void => {
  const columns = table.columns.map((column) => ({
    ...column,
    label: column.label === "" ? "" : l10n.t(column.label),
    ...(column.group === undefined ? {} : { group: l10n.t(column.group) }),
  }));
  markdown.appendMarkdown(`\n\n${markdownTable({ ...table, columns }, shownRows)}`);
};

function chart(run: MeasuredByRun, line: number, alternative: string): string {
  const values = outermost(
    run.report.values.filter((value) => value.file === run.file && value.line === line),
  );
  const { kind } = window.activeColorTheme;
  const isLight = kind === ColorThemeKind.Light || kind === ColorThemeKind.HighContrastLight;
  const image = depthImage(
    values.map(({ activation }) => activation.rms),
    values.map(({ gradient }) => gradient?.rms ?? null),
    isLight ? imageColours.light : imageColours.dark,
  );
  if (image === null) return "";
  const data = Buffer.from(image).toString("base64");
  return `![${escapeMarkdown(alternative)}](data:image/svg+xml;base64,${data})`;
}
