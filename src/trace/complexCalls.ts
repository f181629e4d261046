/** Which calls know complex tensors: to the others, pairs of numbers would be an axis more. */
import { isDType, isScalar, isTensor } from "./arguments.ts";
import type { AnyCall } from "./call.ts";
import { leaveToPython } from "./writtenInPython.ts";

/** By the key of the call: what computes with complex numbers, and what refuses them in PyTorch's words. */
const known: ReadonlySet<string> = new Set(
  `
  Tensor.split Tensor.where __getitem__ __setitem__ abs absolute acos add addcdiv addcmul adjoint alias all
  amax amin angle any arccos arcsin arctan argwhere as_strided as_strided_ as_strided_scatter asin atan bfloat16 bitwise_and
  bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bool broadcast_to
  byte cat char chunk clone column_stack complex concat concatenate conj conj_physical
  contiguous copy cos cosh count_nonzero cumprod cumsum data detach diag diag_embed diagflat
  diagonal diagonal_scatter diff div divide dot double dsplit dstack einsum empty empty_like eq
  exp expand expand_as eye fft fft2 fftn fftshift fill fill_diagonal_ flatten flip fliplr flipud
  float float_power floor_divide fmod fresh full full_like gather ge ger greater greater_equal
  gt half hfft hsplit hstack ifft ifft2 ifftn ifftshift imag index_add index_copy index_put
  index_select int irfft irfft2 irfftn isclose keeping
  keeping_result isfinite isinf isnan isreal ldexp le lerp less linalg.vander linalg_norm
  less_equal linalg.diagonal log log10 log2 logical_and logical_not logical_or logical_xor long
  lt masked_fill masked_select matmul matrix_norm mean mm moveaxis movedim mul multiply mv nan_to_num narrow
  ne neg negative nextafter new_empty new_full new_ones new_zeros nonzero norm normal_ not_equal ones ones_like
  outer permute polar positive pow prod rand rand_like randn randn_like ravel real reciprocal refusing_backward
  remainder repeat repeat_interleave reshape reshape_as resolve_conj resolve_neg rfft roll rot90
  round row_stack rsqrt rsub select select_scatter sgn short sigmoid sign sin sinh slice_scatter
  split split_with_sizes sqrt square squeeze squeeze_ stack sub subtract sum segment_reduce swapaxes swapaxes_
  swapdims swapdims_ t t_ tan tanh tensor_split tile to transpose transpose_ tril triu
  true_divide type_as unbind unflatten unfold uniform_ unsqueeze unsqueeze_ vander vector_norm view view_as written
  view_as_complex view_as_real vsplit vstack where zero zeros zeros_like
`
    .trim()
    .split(/\s+/),
);

/** Where one of `args` is complex and the call does not know what that is, Python may have a rule. */
export function leaveComplex(spec: AnyCall, args: Readonly<Record<string, unknown>>): void {
  if (!known.has(spec.key ?? spec.name) && Object.values(args).some(isComplex)) leaveToPython();
}

function isComplex(arg: unknown): boolean {
  if (Array.isArray(arg)) return arg.some(isComplex);
  if (isTensor(arg) || isDType(arg)) return arg.isComplex;
  return isScalar(arg) && arg.kind === "complex";
}
