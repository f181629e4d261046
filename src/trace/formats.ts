/** How the types of floating-point numbers hold them. */
interface Format {
  /** Binary digits of a number, the one before the point among them. */
  readonly digits: number;
  /** The smallest number above 0 is 2 to this power. */
  readonly least: number;
  readonly largest: number;
}

const float16: Format = { digits: 11, least: -24, largest: 65504 };
const bfloat16: Format = { digits: 8, least: -133, largest: 3.3895313892515355e38 };
const float32: Format = { digits: 24, least: -149, largest: 3.4028234663852886e38 };
const float64: Format = { digits: 53, least: -1074, largest: Number.MAX_VALUE };

/** By the element type that holds such numbers, or pairs of them. */
export const formats: Readonly<Record<string, Format>> = { float16, bfloat16, float32, float64 };
