import { contiguousStrides } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { pick, stridedIndex } from "./kernels/strided.ts";

/**
 * Blocks of space moved into channels, [N, C, H, W] → [N, b²·C, H/b, W/b].
 * https://onnx.ai/onnx/operators/onnx__SpaceToDepth.html
 */
export const spaceToDepth = defineOp({
  type: "SpaceToDepth",
  inputs: ["input"],
  outputs: ["output"],
  infer: ({ input }, { blocksize: b }: { readonly blocksize: number }) => {
    const [n = 0, c = 0, h = 0, w = 0] = input.shape;
    return [{ dtype: input.dtype, shape: [n, c * b * b, h / b, w / b] }];
  },
  grad: {
    input: (emit, _at, _out, d, { blocksize }) =>
      emit.op("DepthToSpace", [d.output], { blocksize, mode: "DCR" }),
  },
  flops: () => 0,
  evaluate: ({ input }, { blocksize: b }, [output]) => {
    const [n = 0, c = 0, h = 0, w = 0] = input.shape;
    const apart = [n, c, h / b, b, w / b, b];
    const perm = [0, 3, 5, 1, 2, 4];
    const strides = contiguousStrides(apart);
    const index = stridedIndex(
      perm.map((axis) => apart[axis] as number),
      perm.map((axis) => strides[axis] as number),
    );
    return [pick(input.data, index, output)];
  },
});
