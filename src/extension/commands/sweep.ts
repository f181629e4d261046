/** A sweep of a model from the palette, a keybinding or a task. */
import * as v from "valibot";
import { isTrainingAxis } from "../../present/sweep/plan.ts";
import { maxSeeds, type SweepShown, sweepAxis, sweepChoice } from "../../protocol/sweepPage.ts";
import { partialTrainingChoice, type TrainingChoice } from "../../protocol/trainingPage.ts";
import type { Commands } from "../commands.ts";
import { lastTrainingChoice } from "../configurations.ts";
import type { Parts } from "../parts.ts";
import { targetOf } from "./target.ts";

/** Enough for a median with a range. */
const usualSeeds = 3;

const { axes, measure } = sweepChoice.entries;

/** Beside what says which model. */
const argument = v.object({
  /** One axis, or several. */
  over: v.union([axes, sweepAxis]),
  seeds: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxSeeds)),
    usualSeeds,
  ),
  measure: v.optional(measure),
  training: v.optional(partialTrainingChoice, {}),
});

export const sweepCommands = ({ ctx, flows, panel }: Parts): Commands => ({
  /**
   * Opens the form; with `over` in its argument it runs at once, and returns what was measured, or
   * undefined where it was cancelled or could not begin.
   */
  async sweep(given): Promise<SweepShown | undefined> {
    const configuration = await targetOf(ctx, given);
    if (configuration === null) return undefined;
    await panel.configure(configuration, "sweep");
    const parsed = v.safeParse(argument, given);
    if (!parsed.success) return undefined;
    const { over, seeds, training } = parsed.output;
    const chosen = Array.isArray(over) ? over : [over];
    const trains = chosen.some(({ name }) => isTrainingAxis(name));
    const when = parsed.output.measure ?? (trains ? "train" : "init");
    const said = Object.entries(training).filter(([, it]) => it !== undefined);
    const last = lastTrainingChoice(ctx, configuration);
    const choice: TrainingChoice = { ...last, ...Object.fromEntries(said) };
    const question = { axes: chosen, seeds, measure: when };
    return (await flows.sweep(configuration, question, choice)) ?? undefined;
  },
});
