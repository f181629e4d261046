/** Dashboard and panel: what to open, and on which run. */
import { commands, Uri, window } from "vscode";
import type { ValueOfRun } from "../../protocol/webview.ts";
import type { Commands } from "../commands.ts";
import { onnxEditorType } from "../onnxEditor.ts";
import type { Parts } from "../parts.ts";
import { revealLine } from "../reveal.ts";

export const viewCommands = ({ ctx, panel }: Parts): Commands => ({
  openDashboard: () => commands.executeCommand("normscope.dashboard.focus"),
  openPanel: () => panel.open("compare", idsOfCurrent(ctx), null),
  showAttention: () => panel.open("attention", idsOfCurrent(ctx), null),
  /** `file` as the report has it and `line` one-based; the cursor's line where there is none. */
  async showValue(file, line): Promise<void> {
    const value = valueAt(ctx, file, line);
    if (value !== null) await panel.open("value", [value.runId], value);
  },
  /** `file` as the report of the current run has it, `line` one-based. */
  async revealFinding(file, line): Promise<void> {
    const { current } = ctx.runs;
    if (current === null || typeof file !== "string" || typeof line !== "number") return;
    await revealLine(current, file, line);
  },
  async openOnnx(uri): Promise<void> {
    if (uri instanceof Uri) await commands.executeCommand("vscode.openWith", uri, onnxEditorType);
  },
});

const idsOfCurrent = ({ runs }: Parts["ctx"]): string[] =>
  runs.current === null ? [] : [runs.current.head.id];

/** The outermost value of a line: it is finished last. */
function valueAt(ctx: Parts["ctx"], file: unknown, line: unknown): ValueOfRun | null {
  const editor = window.activeTextEditor;
  if (typeof file === "string" && typeof line === "number" && ctx.runs.current !== null) {
    const { report, head } = ctx.runs.current;
    const index = report.values.findLastIndex((it) => it.file === file && it.line === line);
    return index < 0 ? null : { runId: head.id, index };
  }
  if (editor === undefined) return null;
  const shown = ctx.numbers.of(editor.document);
  const note = shown?.notes.find((it) => it.line === editor.selection.active.line + 1);
  if (shown == null || note === undefined) return null;
  const { head, report } = shown.run.stored;
  const index = report.values.findLastIndex(
    (it) => it.file === shown.run.file && it.line === note.note.line,
  );
  return index < 0 ? null : { runId: head.id, index };
}
