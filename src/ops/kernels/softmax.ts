/** What Softmax and LogSoftmax share. */

/** ln Σ e^x without overflow; NaN where all are −∞, as softmax has it. */
export function logSumExp(line: Float64Array): number {
  let max = Number.NEGATIVE_INFINITY;
  for (const x of line) max = Math.max(max, x);
  let sum = 0;
  for (const x of line) sum += Math.exp(x - max);
  return max + Math.log(sum);
}
