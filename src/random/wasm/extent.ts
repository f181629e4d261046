/** Sums, extremes and zeros of float32 numbers, four at a time, added up in float64. */
import type { FunctionSource } from "./assembler.ts";
import { f32x4, f64x2, i32, i32x4, v128 } from "./assembler.ts";
import { extentAddress } from "./layout.ts";

const upperHalf = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const vectorBytes = 16;

/**
 * Of the numbers from the address `start` to `end`, at least one vector of them, writes to
 * `extentAddress` what `Extent` of measure.ts reads: two lanes each of the sum and the squares of
 * the distances from `shift`, then four each of the minimum, the maximum and the count of zeros.
 */
export const extent: FunctionSource = {
  name: "extent",
  parameters: ["i32", "i32", "f32"],
  body: (f, start, end, shift) => {
    const address = f.variable("i32", start);
    const centre = f.keep(f64x2.promote(f32x4.splat(shift)));
    const sum = f.variable("v128", f64x2.const(0));
    const squares = f.variable("v128", f64x2.const(0));
    const min = f.variable("v128", v128.load(start));
    const max = f.variable("v128", v128.load(start));
    const zeros = f.variable("v128", i32x4.const(0));
    f.loop(() => {
      const x = f.keep(v128.load(address.get));
      const low = f.keep(f64x2.sub(f64x2.promote(x), centre));
      const upper = v128.shuffle(upperHalf, x, x);
      const high = f.keep(f64x2.sub(f64x2.promote(upper), centre));
      sum.set(f64x2.add(sum.get, f64x2.add(low, high)));
      const pair = f64x2.add(f64x2.mul(low, low), f64x2.mul(high, high));
      squares.set(f64x2.add(squares.get, pair));
      min.set(f32x4.pmin(min.get, x));
      max.set(f32x4.pmax(max.get, x));
      zeros.set(i32x4.sub(zeros.get, f32x4.eq(x, f32x4.const(0))));
      address.set(i32.add(address.get, i32.const(vectorBytes)));
      return i32.sub(address.get, end);
    });
    const results = [sum, squares, min, max, zeros];
    for (const [at, result] of results.entries())
      f.run(v128.store(i32.const(extentAddress), result.get, at * vectorBytes));
  },
};
