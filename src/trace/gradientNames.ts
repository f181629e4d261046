/** PyTorch's names of the nodes of its graph, as its messages have them: Exp for ExpBackward0. */

/** Nodes that have not the name of the call that makes them. */
const named: ReadonlyMap<string, string> = new Map([
  ["__setitem__", "torch::autograd::CopySlices"],
  ["batch_norm", "NativeBatchNorm"],
  ["clamp", "Clamp1"],
  ["conv1d", "Convolution"],
  ["conv2d", "Convolution"],
  ["copy", "torch::autograd::CopyBackwards"],
  ["fill", "Fill2"],
  ["group_norm", "NativeGroupNorm"],
  ["layer_norm", "NativeLayerNorm"],
  ["scaled_dot_product_attention", "ScaledDotProductFlashAttentionForCpu"],
  ["to", "ToCopy"],
]);

/** Calls whose node depends on their arguments, or that PyTorch makes of several. */
const several = new Set(
  "all any dropout einsum linear matmul max mean median min norm pow prod rms_norm rsub sum".split(
    " ",
  ),
);

/** null: a call that has no one name. */
export function gradientName(op: string): string | null {
  const call = op.endsWith("_") && !op.startsWith("__") ? op.slice(0, -1) : op;
  if (several.has(call) || call.startsWith("__r")) return null;
  return named.get(call) ?? (call.startsWith("__") ? null : camelCase(call));
}

const camelCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
