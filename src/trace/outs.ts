/** Tensors that a call writes its results to: out=. */
import { torchError } from "../errors.ts";
import { isFloat, numel, sameShape } from "../graph/tensor.ts";
import { type Arg, describeArg, isTensor } from "./arguments.ts";
import { isResizedFirst, refuseOutType, type Writing } from "./outTypes.ts";
import { heldAs, type TorchType, typeOf } from "./promotion.ts";
import type { Store } from "./store.ts";
import type { Tensor } from "./tensor.ts";
import { nativeNames } from "./typeNames.ts";
import { broadcastsTo, outputMisfit } from "./views.ts";

export function refuseOut(name: string, requiresGrad: boolean): void {
  if (requiresGrad)
    throw torchError(
      "RuntimeError",
      `${name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.`,
    );
}

/** A call with several results writes to as many tensors, any other to one. */
export function refuseOutForm(name: string, out: Arg, isSeveral: boolean): void {
  if (Array.isArray(out) !== isSeveral)
    throw torchError(
      "TypeError",
      `${name}(): argument 'out' must be ${isSeveral ? "tuple of Tensors" : "Tensor"}, not ${describeArg(out)}`,
    );
}

const typedByInput = new Set("log_softmax mean nanmean norm softmax vector_norm".split(" "));

/** A call computes in the type of `out` where it is told no other, unless it asks its input first. */
export function typedByOut<T extends Readonly<Record<string, unknown>>>(
  name: string,
  args: T,
  [out]: readonly Tensor[],
): T {
  const asksInput = typedByInput.has(name) && !(name === "mean" && isMadeReal(args["input"], out));
  const isTyped = out && args["dtype"] === null && !asksInput;
  return isTyped ? { ...args, dtype: heldAs(typeOf(out)) } : args;
}

/** Complex numbers are cast before they are added where `out` holds real ones. */
const isMadeReal = (input: unknown, out: Tensor | undefined): boolean =>
  isTensor(input) && input.isComplex && out !== undefined && !out.isComplex && isFloat(out.dtype);

const ranges = new Set("arange range linspace logspace".split(" "));
/** A range fills what has as many elements, in whichever shape. */
const fillsCount = (name: string): boolean => ranges.has(name);

interface Made extends Writing {
  readonly shape: readonly number[];
  readonly strides: readonly number[] | null;
}

/** Refuses `out` of a type that the call does not write to, and gives it the shape of the result. */
export function fitOut(store: Store, out: Tensor, made: Made): void {
  const { name, from, of, shape, strides } = made;
  const refuse = () => refuseOutType(name, from, typeOf(out), of.map(typeOf));
  const isLate = isResizedFirst(made);
  if (!isLate) refuse();
  resizeOut(store, out, shape, strides, fillsCount(name));
  if (isLate) refuse();
}

const scans = new Set(["cumsum", "cumprod"]);

/** Sums and products on the way have the shape of their input, before anything is looked at. */
export function fitOutOfScan(
  store: Store,
  name: string,
  [input]: readonly Tensor[],
  [out]: readonly Tensor[],
): void {
  if (input && out && scans.has(name)) resizeOut(store, out, input.shape, null, false);
}

/** `out` of another shape gets memory of its own, as long as it is no window on that of others. */
function resizeOut(
  store: Store,
  out: Tensor,
  shape: readonly number[],
  laid: readonly number[] | null,
  keepsCount: boolean,
): void {
  if (out.parent !== null || sameShape(out.shape, shape)) return;
  if (keepsCount && numel(out.shape) === numel(shape)) return;
  const type = { dtype: out.dtype, isComplex: out.isComplex };
  const fresh = store.fromNumbers(type, shape, null, laid);
  fresh.storage.root = out;
  const { storage, strides } = fresh;
  Object.assign(out, { shape, strides, storage, offset: 0, cached: null });
}

/** Where a call has several results, no kernel writes them in other types. */
export function refuseOutTypes(types: readonly TorchType[], outs: readonly Tensor[]): void {
  for (const [at, out] of outs.entries()) {
    const [from, to] = [types[at] as TorchType, typeOf(out)];
    if (from !== to)
      throw torchError(
        "RuntimeError",
        `Expected out tensor to have dtype ${nativeNames[from]}, but got ${nativeNames[to]} instead`,
      );
  }
}

/** What is written over a tensor has its elements under no more axes, or is broadcast to it. */
export function refuseShape(
  shape: readonly number[],
  wanted: readonly number[],
  target: Tensor,
): void {
  const isOfSize = numel(shape) === numel(wanted) && numel(wanted) > 0;
  if ((isOfSize && shape.length <= wanted.length) || broadcastsTo(shape, wanted)) return;
  throw outputMisfit(target.shape, shape);
}
