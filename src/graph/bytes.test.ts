import { expect, test } from "vitest";
import { fromBytes, toBytes } from "./bytes.ts";
import type { DType, Numbers } from "./tensor.ts";

const cases: readonly { readonly dtype: DType; readonly data: Numbers; readonly hex: string }[] = [
  { dtype: "float64", data: Float64Array.of(1), hex: "000000000000f03f" },
  { dtype: "float32", data: Float32Array.of(1, -0), hex: "0000803f00000080" },
  {
    dtype: "float16",
    data: Float32Array.of(1, -2, 65504, 2 ** -14, 2 ** -24, -1023 * 2 ** -24, Infinity, -0),
    hex: "003c00c0ff7b00040100ff83007c0080",
  },
  { dtype: "bfloat16", data: Float32Array.of(1, -2, -Infinity), hex: "803f00c080ff" },
  {
    dtype: "int64",
    data: Float64Array.of(-1, 2 ** 53 - 1),
    hex: "ffffffffffffffffffffffffffff1f00",
  },
  { dtype: "int32", data: Int32Array.of(-2), hex: "feffffff" },
  { dtype: "int16", data: Int16Array.of(-2), hex: "feff" },
  { dtype: "int8", data: Int8Array.of(-2), hex: "fe" },
  { dtype: "uint8", data: Uint8Array.of(254), hex: "fe" },
  { dtype: "bool", data: Uint8Array.of(1, 0), hex: "0100" },
];

for (const { dtype, data, hex } of cases)
  test(`stores ${dtype} as ONNX does and reads it back`, () => {
    const bytes = toBytes({ dtype, data });
    expect(Buffer.from(bytes).toString("hex")).toBe(hex);
    // One byte in front: numbers in a file do not begin at multiples of their size.
    const shifted = Uint8Array.of(0, ...bytes).subarray(1);
    expect(fromBytes(dtype, [data.length], shifted)).toEqual(data);
  });

test("keeps NaN in both half types", () => {
  for (const dtype of ["float16", "bfloat16"] as const)
    expect(
      fromBytes(dtype, [1], toBytes({ dtype, data: Float32Array.of(Number.NaN) }))[0],
    ).toBeNaN();
});
