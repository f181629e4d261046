/** The error function in float64, to about two units in the last place. */

const twoOverRootPi = 2 / Math.sqrt(Math.PI);

export function erf(x: number): number {
  const a = Math.abs(x);
  if (!(a < 6)) return Number.isNaN(x) ? x : Math.sign(x);
  return a < 2.5 ? series(x) : Math.sign(x) * (1 - complement(a));
}

/**
 * 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·5…(2n+1)): no term cancels another.
 * https://dlmf.nist.gov/7.6.E2
 */
function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return twoOverRootPi * Math.exp(-x * x) * sum;
}

/**
 * erfc(x) = e^(−x²)/√π · 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), from the inside.
 * https://dlmf.nist.gov/7.9.E1
 */
function complement(x: number): number {
  let tail = x;
  for (let n = 60; n >= 1; n--) tail = x + n / 2 / tail;
  return (Math.exp(-x * x) * twoOverRootPi) / 2 / tail;
}
