import { notConstant } from "../errors.ts";
import { defineOp } from "./defineOp.ts";
import type { Known } from "./shapes.ts";

/**
 * Where the elements are that are not 0, one column each: needs a constant.
 * https://onnx.ai/onnx/operators/onnx__NonZero.html
 */
export const nonZero = defineOp({
  type: "NonZero",
  inputs: ["X"],
  outputs: ["Y"],
  infer: ({ X }) => [{ dtype: "int64", shape: [X.shape.length, placesOf(X).length] }],
  grad: { X: "none" },
  evaluate: ({ X }, _attrs, [Y]) => {
    const places = placesOf(X);
    const data = new Float64Array(X.shape.length * places.length);
    places.forEach((place, column) => {
      let rest = place;
      for (let axis = X.shape.length - 1; axis >= 0; axis--) {
        const size = X.shape[axis] as number;
        data[axis * places.length + column] = rest % size;
        rest = Math.floor(rest / size);
      }
    });
    return [{ dtype: "int64", shape: Y?.shape ?? [], data }];
  },
});

function placesOf(X: Known): number[] {
  if (!X.data) throw notConstant("NonZero", "X");
  return Array.from(X.data).flatMap((x, place) => (x === 0 ? [] : [place]));
}
