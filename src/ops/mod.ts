import { defineOp } from "./defineOp.ts";
import { elementwise2 } from "./kernels/elementwise.ts";
import { broadcastTypes } from "./shapes.ts";

/**
 * The remainder of A / B, with A's sign (`fmod` 1, as floats need) or B's.
 * https://onnx.ai/onnx/operators/onnx__Mod.html
 */
export const mod = defineOp({
  type: "Mod",
  inputs: ["A", "B"],
  outputs: ["C"],
  attrs: { fmod: 0 },
  infer: ({ A, B }) => [broadcastTypes("Mod", A, B)],
  grad: {
    // C = A − B · trunc(A / B), and trunc is A − C over B
    A: (_emit, _at, _out, d) => d.C,
    B: (emit, { A, B }, { C }, d) => {
      const quotient = emit.op("Div", [emit.op("Sub", [C, A]), B]);
      return emit.op("Mul", [d.C, emit.op("Round", [quotient])]);
    },
  },
  evaluate: ({ A, B }, { fmod }, [C]) => [
    elementwise2(A, B, C, fmod ? (a, b) => a % b : (a, b) => a - b * Math.floor(a / b)),
  ],
});
