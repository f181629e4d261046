/** Whether a step of training gave numbers that one can go on with. */
import type { Results } from "./trainingParts.ts";

/** `watched`: value ids. */
export const areFinite = (results: readonly Results[], watched: readonly number[]): boolean =>
  results.every((of) => watched.every((id) => of.get(id)?.every(Number.isFinite) ?? true));
