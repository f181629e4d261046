/** Integers and truths that require a gradient, since they were compared with what does or filled by it. */
import { torchError } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { tensorsIn } from "./arguments.ts";
import { underivable } from "./calls/derivatives.ts";
import { isWhole } from "./kernels.ts";
import { type TorchType, typeOf } from "./promotion.ts";
import type { Session } from "./session.ts";
import { isDetached, type Tensor } from "./tensor.ts";
import { cppName } from "./typeNames.ts";

type Context = Pick<Session, "emit" | "store">;

/** Calls that give integers, truths or numbers of which PyTorch has no derivative. */
const underived = new Set(
  `all allclose any argmax argmin argwhere bincount bitwise_and bitwise_left_shift bitwise_not
  bitwise_or bitwise_right_shift bitwise_xor bucketize count_nonzero data detach embedding
  embedding_bag empty_like eq equal floor_divide fresh full_like gcd ge greater greater_equal gt
  heaviside histc isclose isfinite isin isinf isnan isneginf isposinf isreal lcm le less
  less_equal logical_and logical_not logical_or logical_xor lt ne new_empty new_full new_ones
  new_zeros nextafter nonzero not_equal ones_like rand_like randint_like randn_like searchsorted
  signbit zeros_like`.split(/\s+/),
);

/** Casts to integers are none; those to floats are followed. */
const casts = new Set(["bool", "byte", "char", "int", "long", "short", "to"]);

/** Arguments that only say where. */
const places = new Set(["index", "indices", "key"]);

/** What a call is known by, and what it took. */
interface Called {
  readonly key: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const isFollowed = (tensor: Tensor): boolean => tensor.storage.isFollowed && !isDetached(tensor);

function followedOf({ emit }: Context, { key, args }: Called): Tensor | undefined {
  if (!emit.gradMode || underived.has(key)) return undefined;
  const operands = Object.keys(args).filter((name) => !places.has(name));
  return operands.flatMap((name) => tensorsIn(args[name])).find(isFollowed);
}

/** Refuses a view that a call gives of such a tensor; what was cast to floats is followed. */
export function viewOfFollowed(ctx: Context, call: Called, view: Tensor): Tensor {
  if (followedOf(ctx, call) === undefined) return view;
  if (!casts.has(call.key)) refuseWhole(typeOf(view));
  const { store } = ctx;
  return store.fromValue(madeOfFollowed(ctx, call, store.read(view)), view.isComplex, view.strides);
}

/**
 * A new result of such a tensor: it requires a gradient, for which it has to be of floats, and no
 * backward pass comes through the integers.
 */
export function madeOfFollowed(ctx: Context, call: Called, value: Value): Value {
  const source = followedOf(ctx, call);
  if (source === undefined) return value;
  if (isWhole(value.dtype) && casts.has(call.key)) return value;
  refuseWhole(value.dtype);
  const { emit, store } = ctx;
  const error = torchError(
    "RuntimeError",
    "isDifferentiableType(grad.scalar_type()) INTERNAL ASSERT FAILED",
  );
  return underivable(emit, value, [emit.leaf(store.read(source))], error);
}

function refuseWhole(type: TorchType): void {
  if (isWhole(type))
    throw torchError("RuntimeError", `Autograd not support dtype: ${cppName(type)}`);
}
