import { shapeMismatch } from "../errors.ts";
import { formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { broadcastShapes } from "./shapes.ts";
import { swapLastTwo } from "./write.ts";

/** Y = A · B over the last two axes; leading axes broadcast. https://onnx.ai/onnx/operators/onnx__MatMul.html */
export const matMul = defineOp({
  type: "MatMul",
  inputs: ["A", "B"],
  outputs: ["Y"],
  infer: ({ A, B }) => {
    const [m, k] = A.shape.slice(-2);
    const [kB, n] = B.shape.slice(-2);
    if (m === undefined || n === undefined || k === undefined || k !== kB || A.dtype !== B.dtype)
      throw shapeMismatch(
        `MatMul needs A[..., M, K] and B[..., K, N]; got ${formatType(A)} and ${formatType(B)}`,
      );
    const batch = broadcastShapes("MatMul", A.shape.slice(0, -2), B.shape.slice(0, -2));
    return [{ dtype: A.dtype, shape: [...batch, m, n] }];
  },
  grad: {
    // dA = dY · Bᵀ and dB = Aᵀ · dY
    A: (emit, { B }, _, d) => emit.op("MatMul", [d.Y, swapLastTwo(emit, B)]),
    B: (emit, { A }, _, d) => emit.op("MatMul", [swapLastTwo(emit, A), d.Y]),
  },
  flops: ({ A }, [Y]) => 2 * numel(Y?.shape ?? []) * (A.shape.at(-1) ?? 0),
});
