import { expect, test } from "vitest";
import type { Attrs, Value } from "../graph/graph.ts";
import type { DType } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "./emitter.ts";

type Type = readonly [DType, ...number[]];

/** What writing the operator on inputs of these types says. */
function refusal(op: string, types: readonly Type[], attrs: Attrs = {}): string {
  const emit = createEmitter();
  try {
    emit.op(
      op,
      types.map((type) => input(emit, type)),
      attrs,
    );
  } catch (error) {
    return String(error);
  }
  return "";
}

function input(emit: Emitter, [dtype, ...shape]: Type): Value {
  const options = { role: "input", name: null, requiresGrad: false, data: null } as const;
  return emit.input({ dtype, shape }, options);
}

test("operators say what they needed and what they got", () => {
  expect(
    [
      refusal("Add", [
        ["float32", 2, 3],
        ["float32", 4],
      ]),
      refusal("Add", [["float32"], ["int64"]]),
      refusal("MatMul", [
        ["float32", 2, 3],
        ["float32", 4, 5],
      ]),
      refusal(
        "Gemm",
        [
          ["float32", 2, 3],
          ["float32", 3, 5],
        ],
        { transB: 1 },
      ),
      refusal(
        "Concat",
        [
          ["float32", 2, 3],
          ["float32", 4, 5],
        ],
        { axis: 0 },
      ),
      refusal("Softmax", [["float32", 2, 3]], { axis: 2 }),
      refusal("Reshape", [
        ["float32", 2, 3],
        ["int64", 2],
      ]),
      refusal("Where", [["float32"], ["float32"], ["float32"]]),
      refusal("NonZero", [["float32", 2]]),
      refusal("Conv", [
        ["float32", 1, 3, 8],
        ["float32", 4, 2, 3],
      ]),
      refusal(
        "Einsum",
        [
          ["float32", 2],
          ["float32", 3],
        ],
        { equation: "i,i->" },
      ),
      refusal("Softmaxx", []),
    ].join("\n"),
  ).toMatchInlineSnapshot(`
    "NormscopeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1: Add of shapes [2, 3] and [4]
    NormscopeError: Add needs one element type; got float32[] and int64[]
    NormscopeError: MatMul needs A[..., M, K] and B[..., K, N]; got float32[2, 3] and float32[4, 5]
    NormscopeError: Gemm needs matrices A[M, K] and B[K, N]; got float32[2, 3] and float32[3, 5]ᵀ
    NormscopeError: Concat needs one type and one shape but for axis 0; got float32[2, 3] and float32[4, 5]
    NormscopeError: Softmax needs an axis of a rank-2 tensor; got 2
    NormscopeError: Reshape needs a constant 'shape'; got a computed value
    NormscopeError: Where needs a bool condition; got float32[]
    NormscopeError: NonZero needs a constant 'X'; got a computed value
    NormscopeError: Conv in 1 groups needs X[N, C, ...] and W[M, C/1, ...]; got float32[1, 3, 8] and float32[4, 2, 3]
    NormscopeError: Einsum "i,i->" needs one size for 'i'; got 2 and 3 (float32[2], float32[3])
    NormscopeError: No definition of the ONNX operator 'Softmaxx'"
  `);
});
