/** torch.autocast on the CPU: which calls compute in the lower precision, and which in float32. */
import { torchError } from "../errors.ts";
import { type DType, isFloat, isHalf } from "../graph/tensor.ts";
import { isTensor, tensorsIn } from "./arguments.ts";
import { preservedStrides } from "./layout/strides.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";

const lower = new Set([
  "addbmm",
  "addmm",
  "autocast_lower",
  "baddbmm",
  "bmm",
  "conv1d",
  "conv2d",
  "conv3d",
  "conv_transpose1d",
  "conv_transpose2d",
  "conv_transpose3d",
  "einsum",
  "inner",
  "linear",
  "matmul",
  "mm",
  "multi_dot",
  "prelu",
  "scaled_dot_product_attention",
  "tensordot",
  "vecdot",
]);

const wide = new Set([
  "adaptive_avg_pool3d",
  "adaptive_max_pool3d",
  "avg_pool3d",
  "binary_cross_entropy",
  "binary_cross_entropy_with_logits",
  "cdist",
  "cholesky",
  "cosine_embedding_loss",
  "cross_entropy",
  "ctc_loss",
  "eigh",
  "eigvalsh",
  "fft",
  "fft2",
  "fftn",
  "grid_sample",
  "hfft",
  "hinge_embedding_loss",
  "huber_loss",
  "ifft",
  "ifft2",
  "ifftn",
  "ihfft",
  "inv",
  "irfft",
  "irfft2",
  "irfftn",
  "kl_div",
  "l1_loss",
  "margin_ranking_loss",
  "max_pool3d",
  "mse_loss",
  "multi_margin_loss",
  "multilabel_margin_loss",
  "nll_loss",
  "poisson_nll_loss",
  "polar",
  "prod",
  "qr",
  "quantile",
  "rfft",
  "rfft2",
  "rfftn",
  "smooth_l1_loss",
  "soft_margin_loss",
  "solve",
  "svd",
  "svdvals",
  "trace",
  "triplet_margin_loss",
  "view_as_complex",
]);

/** Those that join tensors of several types: the widest of float32 and the lower precision. */
const promoted = new Set([
  "cat",
  "column_stack",
  "concat",
  "concatenate",
  "dstack",
  "hstack",
  "index_copy",
  "row_stack",
  "stack",
  "vstack",
]);

/** The call's arguments in the type that autocast computes it in; `name` is PyTorch's. */
export function autocastArguments(
  session: Session,
  name: string,
  args: Record<string, unknown>,
): Record<string, unknown> {
  const { autocast } = session;
  if (autocast === null) return args;
  if (promoted.has(name)) refuseOtherHalf(args, autocast);
  if (lower.has(name)) return mapTensors(args, (tensor) => castLow(session, tensor, autocast));
  // With places it is another kernel, which is on no list.
  const isPlain = name !== "max_pool3d" || args["return_indices"] !== true;
  if ((wide.has(name) && isPlain) || (name === "pad" && isWidePad(args)))
    return mapTensors(args, (tensor) => castWide(session, tensor));
  return args;
}

/**
 * Of tensors that are joined each is compared with those before it, doubles aside: before one is
 * float32, a half precision that is not autocast's raises RuntimeError.
 */
function refuseOtherHalf(args: Record<string, unknown>, autocast: DType): void {
  for (const { dtype, isComplex } of Object.values(args).flatMap(tensorsIn)) {
    if (dtype === "float32" && !isComplex) return;
    if (isHalf(dtype) && dtype !== autocast)
      throw torchError(
        "RuntimeError",
        "Unexpected floating ScalarType in at::autocast::prioritize",
      );
  }
}

/** Reflecting three axes is the one kind of padding by what is there that takes any type. */
const isWidePad = ({ mode, pad }: Record<string, unknown>): boolean =>
  mode === "replicate" || (mode === "reflect" && (pad as readonly unknown[]).length < 6);

function mapTensors(
  args: Record<string, unknown>,
  cast: (tensor: Tensor) => Tensor,
): Record<string, unknown> {
  const map = (arg: unknown): unknown => {
    if (isTensor(arg)) return cast(arg);
    return Array.isArray(arg) ? arg.map(map) : arg;
  };
  return Object.fromEntries(Object.entries(args).map(([key, arg]) => [key, map(arg)]));
}

const castLow = (session: Session, tensor: Tensor, to: DType): Tensor =>
  isFloat(tensor.dtype) && tensor.dtype !== "float64" && !tensor.isComplex
    ? castOnce(session, tensor, to)
    : tensor;

/** The gradients of a leaf's uses are summed in the lower precision: PyTorch keeps what it cast. */
function castOnce(session: Session, tensor: Tensor, to: DType): Tensor {
  const isLeaf = tensor.leafRequiresGrad && tensor.parent === null;
  if (!isLeaf || tensor.dtype !== "float32" || !session.emit.gradMode)
    return castTensor(session, tensor, to);
  const { id } = session.store.read(tensor);
  const known = session.castLeaves.get(id);
  if (known?.dtype === to) return known;
  const made = castTensor(session, tensor, to);
  session.castLeaves.set(id, made);
  return made;
}

const castWide = (session: Session, tensor: Tensor): Tensor =>
  isHalf(tensor.dtype) ? castTensor(session, tensor, "float32") : tensor;

function castTensor(session: Session, tensor: Tensor, to: DType): Tensor {
  if (tensor.dtype === to) return tensor;
  const made = session.store.fromValue(
    session.emit.op("Cast", [session.store.read(tensor)], { to }),
    false,
    preservedStrides(tensor),
  );
  made.masked = tensor.masked;
  return made;
}
