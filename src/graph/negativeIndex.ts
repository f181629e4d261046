/**
 * PyTorch refuses negative rows of a table, ONNX counts them from the end: a graph moves those that
 * it computes to where no table has a row.
 */
export const farBelow = 2 ** 40;

/** The index that was computed, of one that a runtime refuses. */
export const indexBefore = (index: number): number =>
  index < -farBelow / 2 ? index + farBelow : index;
