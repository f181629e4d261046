import { invariant, shapeMismatch } from "../errors.ts";
import type { Emit, Value } from "../graph/graph.ts";
import { formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { matmul } from "./kernels/matmul.ts";
import { broadcastShapes } from "./shapes.ts";
import { reshapeTo, swapLastTwo } from "./write.ts";

/**
 * Y = A · B over the last two axes; leading axes broadcast.
 * https://onnx.ai/onnx/operators/onnx__MatMul.html
 */
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
    // dA = dY · Bᵀ and dB = Aᵀ · dY. A matrix B is common to all rows of A: Gemm then reads the
    // transposed operand in place and sums over the leading axes.
    A: (emit, { A, B }, _out, d) => {
      if (B.shape.length > 2) return emit.op("MatMul", [d.Y, swapLastTwo(emit, B)]);
      return reshapeTo(emit, emit.op("Gemm", [rows(emit, d.Y), B], { transB: 1 }), A.shape);
    },
    B: (emit, { A, B }, _out, d) => {
      if (B.shape.length > 2) return emit.op("MatMul", [swapLastTwo(emit, A), d.Y]);
      return emit.op("Gemm", [rows(emit, A), rows(emit, d.Y)], { transA: 1 });
    },
  },
  flops: ({ A }, [Y]) => 2 * numel(Y?.shape ?? []) * (A.shape.at(-1) ?? 0),
  evaluate: ({ A, B }, _attrs, [Y]) => {
    invariant(Y, "MatMul has an output");
    return [matmul(A, B, Y)];
  },
});

/** All leading axes as one. */
function rows(emit: Emit, x: Value): Value {
  const columns = x.shape.at(-1) as number;
  return reshapeTo(emit, x, [numel(x.shape.slice(0, -1)), columns]);
}
