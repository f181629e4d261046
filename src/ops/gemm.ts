import { invariant, shapeMismatch } from "../errors.ts";
import { formatType, numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { elementwise1, elementwise2 } from "./kernels/elementwise.ts";
import { matmul, transposed } from "./kernels/matmul.ts";
import { broadcastShapes } from "./shapes.ts";

/**
 * Y = alpha · A′ · B′ + beta · C of matrices, A′ and B′ transposed if asked.
 * https://onnx.ai/onnx/operators/onnx__Gemm.html
 */
export const gemm = defineOp({
  type: "Gemm",
  inputs: ["A", "B", "C?"],
  outputs: ["Y"],
  attrs: { alpha: 1, beta: 1, transA: 0, transB: 0 },
  infer: ({ A, B, C }, { transA, transB }) => {
    const [m, k] = transA ? A.shape.toReversed() : A.shape;
    const [kB, n] = transB ? B.shape.toReversed() : B.shape;
    const matrices = A.shape.length === 2 && B.shape.length === 2;
    if (m === undefined || n === undefined || !matrices || k !== kB || A.dtype !== B.dtype)
      throw shapeMismatch(
        `Gemm needs matrices A[M, K] and B[K, N]; got ${formatType(A)}${transA ? "ᵀ" : ""} ` +
          `and ${formatType(B)}${transB ? "ᵀ" : ""}`,
      );
    if (C && broadcastShapes("Gemm", C.shape, [m, n]).join() !== `${m},${n}`)
      throw shapeMismatch(`Gemm needs C that broadcasts to [${m}, ${n}]; got ${formatType(C)}`);
    return [{ dtype: A.dtype, shape: [m, n] }];
  },
  grad: {
    // dA′ = alpha · dY · B′ᵀ and dB′ = alpha · A′ᵀ · dY
    A: (emit, { B }, _out, d, { alpha, transA, transB }) =>
      transA
        ? emit.op("Gemm", [B, d.Y], { alpha, transA: transB, transB: 1 })
        : emit.op("Gemm", [d.Y, B], { alpha, transB: 1 - transB }),
    B: (emit, { A }, _out, d, { alpha, transA, transB }) =>
      transB
        ? emit.op("Gemm", [d.Y, A], { alpha, transA: 1, transB: transA })
        : emit.op("Gemm", [A, d.Y], { alpha, transA: 1 - transA }),
    C: (emit, _at, { Y }, d, { beta }) =>
      beta === 1 ? d.Y : emit.op("Mul", [d.Y, emit.scalar(beta, Y.dtype)]),
  },
  flops: ({ A }, [Y], { transA }) => 2 * numel(Y?.shape ?? []) * (A.shape[transA ? 0 : 1] ?? 0),
  evaluate: ({ A, B, C }, { alpha, beta, transA, transB }, [Y]) => {
    invariant(Y, "Gemm has an output");
    const product = matmul(transA ? transposed(A) : A, transB ? transposed(B) : B, Y);
    const scaled = elementwise1(product, Y, (x) => alpha * x);
    return [C === null ? scaled : elementwise2(scaled, C, Y, (x, c) => x + beta * c)];
  },
});
