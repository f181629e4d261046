/** Running, comparing, exporting and cancelling. */
import { basename } from "node:path";
import { Uri, window, workspace } from "vscode";
import { scriptFor } from "../../present/scriptFor.ts";
import type { RunReport } from "../../protocol/report.ts";
import type { Commands } from "../commands.ts";
import { outlineOf } from "../outlines.ts";
import type { Parts } from "../parts.ts";
import { exportWishesOf, targetOf } from "./target.ts";

export const runCommands = ({ ctx, flows, panel }: Parts): Commands => ({
  /** Returns the report, or undefined where the run was cancelled or failed. */
  async run(given): Promise<RunReport | undefined> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return undefined;
    return (await flows.run(configuration))?.report;
  },
  async runAgain(): Promise<RunReport | undefined> {
    const configuration = ctx.runs.failure?.configuration ?? ctx.runs.current?.head.configuration;
    if (configuration === undefined) return undefined;
    return (await flows.run(configuration))?.report;
  },
  cancel: () => ctx.runs.cancel(),
  async configure(given): Promise<void> {
    const configuration = await targetOf(ctx, given);
    if (configuration !== null) await panel.configure(configuration);
  },
  async writeScript(given): Promise<void> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return;
    const document = await workspace.openTextDocument(Uri.parse(configuration.uri));
    const model = outlineOf(document).classes.find(({ name }) => name === configuration.entry);
    if (model === undefined) return;
    const content = scriptFor(basename(document.uri.fsPath, ".py"), model);
    await window.showTextDocument(
      await workspace.openTextDocument({ language: "python", content }),
    );
  },
  /** Returns the reports of both, first the one that was asked for. */
  async comparePlacements(given): Promise<readonly RunReport[]> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return [];
    const made = await flows.comparePlacements(configuration);
    return made.map(({ report }) => report).toReversed();
  },
  /** Returns the URI of the file, or undefined where none was written. */
  async exportOnnx(given): Promise<Uri | undefined> {
    const current = ctx.runs.current?.head.configuration;
    // From the tree it is the model that is shown, whichever editor is open.
    const isOfTree = typeof given === "object" && given !== null && "children" in given;
    const configuration = isOfTree && current !== undefined ? current : await targetOf(ctx, given);
    if (configuration === null) return undefined;
    return (await flows.exportModel(configuration, exportWishesOf(given))) ?? undefined;
  },
});
