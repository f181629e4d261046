/** How many steps of training one run of a graph takes (docs/decisions/0016). */
import type { TrainSettings } from "../protocol/training.ts";
import type { Provider } from "../runtime/provider.ts";

/** In bytes. */
export interface StepSizes {
  /** Parameters and what the optimiser keeps. */
  readonly state: number;
  /** What every step is fed anew. */
  readonly fed: number;
}

export interface StepsPerCall {
  /** 1: a step is a run. */
  readonly most: number;
  /** A run takes as many as are told at once, but no fewer than this while there are as many. */
  readonly least: number;
}

/** With fewer, a loop is slower than as many runs. */
const worthwhile = 4;
const mostByDefault = 50;
/** Of stacked feeds; and of a state that a CPU may hold once more for a loop. */
const memoryLimit = 64 * 2 ** 20;

export function stepsPerCall(
  { stepsPerCall: wanted = null, steps, saveEvery }: TrainSettings,
  { state, fed }: StepSizes,
  provider: Provider,
): StepsPerCall {
  const betweenStates = Math.min(steps, saveEvery);
  if (wanted !== null) {
    const most = Math.min(wanted, betweenStates);
    return { most, least: most };
  }
  const fitting = Math.floor(memoryLimit / Math.max(fed, 1));
  const most = Math.min(mostByDefault, fitting, betweenStates);
  const isLarge = state > memoryLimit && provider === "cpu";
  return most < worthwhile || isLarge ? { most: 1, least: 1 } : { most, least: worthwhile };
}
