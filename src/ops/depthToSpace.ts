import { contiguousStrides } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { pick, stridedIndex } from "./kernels/strided.ts";
import { reshapeTo, transpose } from "./write.ts";

/**
 * Channels moved into blocks of space, [N, C·b², H, W] → [N, C, H·b, W·b]; `mode` says whether the
 * block's place (DCR) or the channel (CRD) varies slowest.
 * https://onnx.ai/onnx/operators/onnx__DepthToSpace.html
 */
export const depthToSpace = defineOp({
  type: "DepthToSpace",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }, { blocksize: b }: DepthToSpaceAttrs) => {
    const [n = 0, c = 0, h = 0, w = 0] = input.shape;
    return [{ dtype: input.dtype, shape: [n, c / (b * b), h * b, w * b] }];
  },
  grad: {
    // The blocks of dY taken apart, [N, C, H, b, W, b], and the inverse of the permutation.
    input: (emit, { input }, { output }, d, attrs) => {
      const [n = 0, c = 0, h = 0, w = 0] = output.shape;
      const b = attrs.blocksize;
      const apart = reshapeTo(emit, d.output, [n, c, h / b, b, w / b, b]);
      const perm = attrs.mode === "CRD" ? [0, 1, 3, 5, 2, 4] : [0, 3, 5, 1, 2, 4];
      return reshapeTo(emit, transpose(emit, apart, perm), input.shape);
    },
  },
  flops: () => 0,
  evaluate: ({ input }, attrs, [output]) => {
    const [n = 0, c = 0, h = 0, w = 0] = output?.shape ?? [];
    const b = attrs.blocksize;
    const crd = attrs.mode === "CRD";
    const apart = crd ? [n, c, b, b, h / b, w / b] : [n, b, b, c, h / b, w / b];
    const perm = crd ? [0, 1, 4, 2, 5, 3] : [0, 3, 4, 1, 5, 2];
    const strides = contiguousStrides(apart);
    const index = stridedIndex(
      perm.map((axis) => apart[axis] as number),
      perm.map((axis) => strides[axis] as number),
    );
    return [pick(input.data, index, output)];
  },
});

type DepthToSpaceAttrs = { readonly blocksize: number; readonly mode?: string };
