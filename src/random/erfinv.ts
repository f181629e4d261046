/** The inverse of the error function. */

/** Numerator and denominator of a rational function, highest power last. */
interface Rational {
  readonly numerator: readonly number[];
  readonly denominator: readonly number[];
}

/**
 * Wichura, "Algorithm AS 241: The percentage points of the normal distribution" (1988), PPND16:
 * relative accuracy about 1e-16.
 */
const central: Rational = {
  numerator: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946,
    45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  denominator: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597,
    39307.89580009271, 28729.085735721943, 5226.495278852854,
  ],
};
const middle: Rational = {
  numerator: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
    1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  denominator: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008,
    0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-9,
  ],
};
const tail: Rational = {
  numerator: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
    0.026532189526576124, 0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  denominator: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
};

/** A loop, not a fold: a model has tens of millions of these numbers. */
function horner(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let k = coefficients.length - 1; k >= 0; k--) sum = sum * x + (coefficients[k] as number);
  return sum;
}

const evaluate = ({ numerator, denominator }: Rational, x: number): number =>
  horner(numerator, x) / horner(denominator, x);

/** The x with erf(x) = y; NaN outside [−1, 1]. Round it to float32 for `torch.erfinv` there. */
export function erfinv(y: number): number {
  const magnitude = Math.abs(y);
  if (magnitude === 1) return y * Number.POSITIVE_INFINITY;
  const q = y / 2;
  if (magnitude <= 0.85) return q * evaluate(central, 0.180625 - q * q) * Math.SQRT1_2;
  const r = Math.sqrt(-Math.log((1 - magnitude) / 2));
  const quantile = r <= 5 ? evaluate(middle, r - 1.6) : evaluate(tail, r - 5);
  return Math.sign(y) * quantile * Math.SQRT1_2;
}
