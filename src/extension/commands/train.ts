/** Training from the palette, a keybinding or a task. */
import * as v from "valibot";
import {
  partialTrainingChoice,
  type TrainingChoice,
  type TrainingSummary,
} from "../../protocol/trainingPage.ts";
import type { Commands } from "../commands.ts";
import { lastTrainingChoice } from "../configurations.ts";
import type { Parts } from "../parts.ts";
import { trainingSummary } from "../trainingRecord.ts";
import { targetOf } from "./target.ts";

/** Beside what says which model. */
const argument = v.object({ training: partialTrainingChoice });

export const trainCommands = ({ ctx, flows, panel }: Parts): Commands => ({
  /**
   * Opens the form; with `training` in its argument it trains at once, and returns how that ended,
   * or undefined where it was cancelled or failed.
   */
  async train(given): Promise<TrainingSummary | undefined> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return undefined;
    await panel.configure(configuration, "train");
    const parsed = v.safeParse(argument, given);
    if (!parsed.success) return undefined;
    const last = lastTrainingChoice(ctx, configuration);
    const said = Object.entries(parsed.output.training).filter(([, it]) => it !== undefined);
    const choice: TrainingChoice = { ...last, ...Object.fromEntries(said) };
    const ended = await flows.train(configuration, choice);
    return ended === null ? undefined : trainingSummary(ended);
  },
});
