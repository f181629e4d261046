/** `idx=int64[2, 64]<256`: an input tensor as the command line writes it. */
import { wrongUsage } from "../errors.ts";
import type { InputSpec } from "../protocol/engine.ts";

const pattern = /^\s*([A-Za-z_]\w*)\s*=\s*([a-z]+\d*)\s*\[([\d\s,]*)\]\s*(?:<\s*(\d+))?\s*$/;

export function inputSpec(text: string): InputSpec {
  const match = pattern.exec(text);
  if (match === null) {
    throw wrongUsage(
      `An input needs a name, a type and a shape; got '${text}'`,
      "Write idx=int64[2,64]<256 or x=float32[2,64,128]",
    );
  }
  const [, name = "", dtype = "", sizes = "", below] = match;
  const shape = sizes.split(",").map((size) => size.trim());
  return {
    name,
    dtype,
    shape: shape.filter((size) => size !== "").map(Number),
    below: below === undefined ? null : Number(below),
  };
}
