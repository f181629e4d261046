/** Running and cancelling. */
import type { RunReport } from "../../protocol/report.ts";
import type { Command } from "../commands.ts";
import type { Ctx } from "../context.ts";
import { tellFailure } from "../failures.ts";
import { keepConfiguration, targetOf } from "./target.ts";

export const runCommands = (ctx: Ctx): Readonly<Record<string, Command>> => ({
  /** Returns the report, or undefined where the run was cancelled or failed. */
  async run(given): Promise<RunReport | undefined> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return undefined;
    try {
      const { report } = await ctx.runs.run(configuration);
      await keepConfiguration(ctx, configuration);
      return report;
    } catch (error) {
      await tellFailure(ctx, error);
      return undefined;
    }
  },
  cancel: () => ctx.runs.cancel(),
});
