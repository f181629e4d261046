/** Running, comparing, exporting and cancelling. */
import type { Uri } from "vscode";
import type { RunReport } from "../../protocol/report.ts";
import type { Commands } from "../commands.ts";
import type { Parts } from "../parts.ts";
import { targetOf } from "./target.ts";

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
    return (await flows.exportModel(configuration)) ?? undefined;
  },
});
