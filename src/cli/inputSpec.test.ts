import { expect, test } from "vitest";
import { inputSpec } from "./inputSpec.ts";

test("a name, a type, a shape, and for integers a bound", () => {
  expect(inputSpec("idx=int64[2,64]<256")).toEqual({
    name: "idx",
    dtype: "int64",
    shape: [2, 64],
    below: 256,
  });
  expect(inputSpec(" x = float32 [2, 64, 128] ")).toMatchObject({
    shape: [2, 64, 128],
    below: null,
  });
  expect(inputSpec("t=float32[]")).toMatchObject({ shape: [] });
});

test("anything else is refused with an example", () => {
  expect(() => inputSpec("idx:int64")).toThrow(
    "An input needs a name, a type and a shape; got 'idx:int64'",
  );
});
