/** Numbers as ONNX's textual syntax and readable names have them. */
import type { DType } from "./tensor.ts";

export function numberText(x: number, dtype: DType): string {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Object.is(x, -0)) return "-0";
  return String(dtype === "float32" ? shortest(x) : x);
}

/** The shortest decimal number that is the same float32. */
function shortest(x: number): number {
  if (Number.isInteger(x)) return x;
  const single = Math.fround(x);
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(single.toPrecision(digits));
    if (Math.fround(rounded) === single) return rounded;
  }
  return single;
}
