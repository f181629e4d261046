/** Orders numbers; what is not a number comes last, as the end of a run that diverged. */
export const ascending = (a: number, b: number): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a - b;

/** The middle one, or the mean of both; null: there is none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted(ascending);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
