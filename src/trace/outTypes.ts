/** The types of `out` that a call writes to: most cast what they computed, others have no kernel between two types. */
import { torchError } from "../errors.ts";
import { isFloat } from "../graph/tensor.ts";
import { category, isComplexType, type TorchType, typeOf } from "./promotion.ts";
import type { Tensor } from "./tensor.ts";
import { cppName, nativeNames } from "./typeNames.ts";

/** torch.functions without `out=`. */
const withoutOut = new Set(
  (
    "adaptive_avg_pool1d adaptive_max_pool1d adjoint argsort argwhere as_strided as_strided_scatter avg_pool1d batch_norm " +
    "bilinear bincount binomial broadcast_to celu channel_shuffle chunk clone conj conv1d conv2d conv3d " +
    "conv_transpose1d conv_transpose2d conv_transpose3d corrcoef cosine_embedding_loss cosine_similarity " +
    "count_nonzero cov cumulative_trapezoid detach diag_embed diagflat diagonal diagonal_scatter dist dsplit " +
    "fill flatten flip fliplr flipud group_norm hinge_embedding_loss hsplit imag index_fill index_put " +
    "instance_norm isclose isfinite isinf isnan isreal layer_norm logdet margin_ranking_loss masked_fill " +
    "masked_scatter matrix_exp max_pool1d max_pool2d max_pool3d moveaxis movedim narrow pairwise_distance permute " +
    "pinverse pixel_shuffle pixel_unshuffle poisson poisson_nll_loss positive prelu ravel real relu " +
    "repeat_interleave reshape resolve_conj resolve_neg rms_norm roll rot90 rsub segment_reduce select " +
    "select_scatter selu split split_with_sizes squeeze std_mean swapaxes swapdims t tensor_split tile trace " +
    "transpose trapezoid trapz triplet_margin_loss unbind unflatten unsqueeze vander var_mean view_as_complex " +
    "view_as_real vsplit"
  ).split(" "),
);

/** No method takes `out`, and not every function. */
export function refuseKeywordOut(name: string, isMethod: boolean): void {
  if (isMethod || withoutOut.has(name))
    throw torchError("TypeError", `${name}() got an unexpected keyword argument 'out'`);
}

/** PyTorch gives `out` its shape before it looks at its type. */
const resizedFirst = new Set("addbmm diag dot kron std var".split(" "));

/** The call that writes, with what it computed and took. */
export interface Writing {
  readonly name: string;
  readonly from: TorchType;
  /** The call's tensors. */
  readonly of: readonly Tensor[];
  readonly args: Readonly<Record<string, unknown>>;
}

export function isResizedFirst({ name, from, of, args }: Writing): boolean {
  const ranks = of.map(({ shape }) => shape.length);
  if (name === "mean") return of.some((tensor) => typeOf(tensor) === from);
  if (name === "matmul") return !isOneProduct(ranks);
  // Along a new last axis the tensors are joined without a copy of each.
  if (name === "stack") return args["dim"] !== -1 && args["dim"] !== ranks[0];
  return resizedFirst.has(name);
}

/** Of a matrix with a matrix or a vector, for which `matmul` has a kernel; others are taken apart. */
const isOneProduct = (ranks: readonly number[]): boolean =>
  ranks.every((rank) => rank <= 2) && ranks.includes(2);

type Misfit = (name: string, from: TorchType, to: TorchType) => string;

const ofKernels: Misfit = (_name, from, to) =>
  `Expected out tensor to have dtype ${nativeNames[from]}, but got ${nativeNames[to]} instead`;
const found: Misfit = (_name, from, to) =>
  `Found dtype ${cppName(to)} but expected ${cppName(from)}`;
const ofScans: Misfit = (_name, from, to) =>
  `expected scalar_type ${cppName(from)} but found ${cppName(to)}`;
const ofExtremes: Misfit = (_name, from, to) =>
  `Expected the dtype for input and out to match, but got ${cppName(from)} for input's dtype and ${cppName(to)} for out's dtype.`;
const ofPicks: Misfit = (name) => `${name}(): self and result must have the same scalar type`;
const ofTruths: Misfit = (name) => `${name} does not support non-boolean outputs.`;
const ofTests: Misfit = (name, _from, to) =>
  `${name} only supports bool tensor for result, got: ${cppName(to)}`;
const ofBuckets: Misfit = (_name, _from, to) =>
  `torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype ${cppName(to)} and out_int32 flag is False`;
const ofParts: Misfit = (_name, from, to) =>
  `Expected object of scalar type ${cppName(from)} but got scalar type ${cppName(to)} for argument 'out'`;

const ofShares: Misfit = (name) => `${name}() out tensor must be same dtype as the input tensor`;

/** What is said where the type of `out` is not that of the result, by calls that need it to be. */
const misfits: Readonly<Record<string, Misfit>> = {
  ...all(
    "addmm addmv aminmax argmax argmin baddbmm bmm cross cumprod cumsum det diag gather index_add index_copy inv " +
      "inverse isin log_softmax matmul mean mm msort mv norm prod renorm scatter scatter_add scatter_reduce index_reduce " +
      "softmax sum take_along_dim tril triu vector_norm",
    ofKernels,
  ),
  ...all(
    "abs absolute bitwise_not ceil clamp clamp_max clamp_min clip conj_physical fix floor frac neg negative round sgn sign " +
      "trunc",
    found,
  ),
  ...all("cummax cummin logcumsumexp", ofScans),
  ...all("amax amin", ofExtremes),
  ...all("index_select masked_select", ofPicks),
  ...all("isneginf isposinf signbit", ofTruths),
  ...all("all any", ofTests),
  ...all("bucketize searchsorted", ofBuckets),
  ...all("complex polar", ofParts),
  addbmm: (_name, from, to) =>
    `self and mat2 must have the same dtype, but got ${cppName(to)} and ${cppName(from)}`,
  chain_matmul: (_name, from, to) =>
    `multi_dot(): expected out tensor to have dtype ${nativeNames[from]} but got ${nativeNames[to]}`,
  dot: (_name, from, to) =>
    `result dtype ${cppName(to)} does not match input dtype ${cppName(from)}`,
  float_power: (_name, from, to) =>
    `the output given to float_power has dtype ${cppName(to)} but the operation's result requires dtype ${cppName(from)}`,
  heaviside: () => "heaviside is not yet implemented for tensors with different dtypes.",
  histc: (_name, from, to) =>
    `torch.histogram: input tensor and hist tensor should have the same dtype, but got input ${nativeNames[from]} and hist ${nativeNames[to]}`,
  inner: (_name, from, to) =>
    `tensordot: Expected the output tensor to have dtype ${cppName(from)}, but got an output tensor with dtype ${cppName(to)}`,
  mode: (_name, from, to) =>
    `expected scalar type '${cppName(from)}' but got '${cppName(to)}' for values output`,
  nan_to_num: (_name, from, to) =>
    `nan_to_num: dtype of out: ${cppName(to)} should be same as input: ${cppName(from)}`,
  nonzero: (_name, _from, to) =>
    `nonzero: Expected out tensor to have scalar type Long but got scalar type${cppName(to)}`,
  nanquantile: ofShares,
  quantile: ofShares,
  take: (_name, from, to) =>
    `take(): self and out expected to have the same dtype, but got self.dtype = ${cppName(from)} and out.dtype = ${cppName(to)}`,
  where: (_name, from, to) => `Expected out type to be ${cppName(from)} but got ${cppName(to)}`,
};

const spectra = new Set("fft fft2 fftn ifft ifft2 ifftn rfft rfft2 rfftn ihfft".split(" "));
const joins = new Set("cat concat concatenate stack hstack vstack row_stack dstack".split(" "));

/** `from` is what was computed of tensors of the types `of`. */
export function refuseOutType(
  name: string,
  from: TorchType,
  to: TorchType,
  of: readonly TorchType[],
): void {
  const refuse = (text: string, kind: Parameters<typeof torchError>[0] = "RuntimeError") => {
    throw torchError(kind, text);
  };
  const misfit = misfitOf(name, from, of);
  if (misfit && from !== to && !(misfit === ofTests && to === "uint8"))
    refuse(misfit(name, from, to));
  if (
    /^nan(sum|mean)$/.test(name) &&
    of.some((type) => category(type) === 2) &&
    (isComplexType(to) || !isFloat(to))
  )
    refuse(`"nansum_cpu" not implemented for '${cppName(to)}'`, "NotImplementedError");
  if (spectra.has(name) && !isComplexType(to))
    refuse(`${name} expects a complex output tensor, but got ${cppName(to)}`);
  if (name === "logsumexp" && category(to) < 2)
    refuse(`logsumexp(): Expected floating point type for result tensor, but got: ${cppName(to)}`);
  if (category(from) <= category(to)) return;
  if (joins.has(name))
    refuse(
      `torch.cat(): input types can't be cast to the desired output type ${cppName(to)}`,
      "TypeError",
    );
  refuse(`result type ${cppName(from)} can't be cast to the desired output type ${cppName(to)}`);
}

/** Sizes of complex numbers and steps by a number are written in other types. */
function misfitOf(name: string, from: TorchType, of: readonly TorchType[]): Misfit | undefined {
  if (name === "abs" && of.some(isComplexType)) return undefined;
  if (name === "lerp") return of.length > 2 ? found : undefined;
  return name === "mean" && of.includes(from) ? undefined : misfits[name];
}

function all(names: string, misfit: Misfit): Record<string, Misfit> {
  return Object.fromEntries(names.split(" ").map((name) => [name, misfit]));
}
