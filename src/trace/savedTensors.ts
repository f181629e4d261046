/** What PyTorch keeps of a call for its backward pass, which must be unedited then. */
import { torchError } from "../errors.ts";
import { isScalar, isTensor, tensorsIn } from "./arguments.ts";
import type { AnyCall, Given } from "./call.ts";
import type { Session } from "./session.ts";
import type { Store } from "./store.ts";
import type { Tensor } from "./tensor.ts";

export interface Saved {
  readonly tensor: Tensor;
  readonly count: number;
  /** An argument that was no leaf: its history must be there in the backward pass. */
  readonly hasHistory?: boolean;
}

/** The arguments, and "result", that the backward pass of this call needs. */
export function savedNames(
  session: Session,
  spec: AnyCall,
  args: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { requiresGrad } = session.store;
  const saves =
    typeof spec.saves === "function" ? spec.saves(args as never, requiresGrad) : (spec.saves ?? []);
  if (!spec.savesFor && !spec.savesForOthers) return saves;
  const required = Object.keys(args).filter((name) =>
    tensorsIn(args[name]).some((tensor) => session.store.requiresGrad(tensor)),
  );
  if (spec.savesFor) {
    const names = savedFor(spec.savesFor, required);
    return spec.saves ? names.filter((name) => saves.includes(name)) : names;
  }
  return saves.filter((name) => required.some((other) => other !== name));
}

/**
 * A result is kept whichever argument requires a gradient, and so is an argument that more than one
 * gradient needs.
 */
function savedFor(
  savesFor: Readonly<Record<string, readonly string[]>>,
  required: readonly string[],
): readonly string[] {
  if (!required.some((name) => savesFor[name])) return [];
  const all = Object.values(savesFor).flat();
  const shared = all.filter((name, at) => name.startsWith("result") || all.indexOf(name) !== at);
  return [...new Set([...shared, ...required.flatMap((name) => savesFor[name] ?? [])])];
}

export const snapshot = (
  store: Store,
  names: readonly string[],
  args: Readonly<Record<string, unknown>>,
): Saved[] =>
  savedNow(
    store,
    names.flatMap((name) => tensorsIn(args[name])),
  );

export const savedNow = (store: Store, tensors: readonly Tensor[] = []): Saved[] =>
  tensors.map((tensor) => ({
    tensor,
    count: tensor.version.count,
    hasHistory: hasHistory(store, tensor),
  }));

/** Whether it requires a gradient and is no leaf. */
export const hasHistory = (store: Store, tensor: Tensor): boolean =>
  !tensor.leafRequiresGrad && store.requiresGrad(tensor);

export const savedResult = (names: readonly string[], result: Tensor): Saved[] =>
  names.includes("result") ? [{ tensor: result, count: result.version.count }] : [];

export function savedResults(names: readonly string[], given: Given): Saved[] {
  if (given === null) return [];
  if (isTensor(given)) return savedResult(names, given);
  return given.flatMap((one, at) =>
    isTensor(one) && names.includes(`result${at}`)
      ? [{ tensor: one, count: one.version.count }]
      : [],
  );
}

/** What gives values and where they were found is differentiated by the places alone. */
export function savedIndices({ returns }: AnyCall, given: Given): Saved[] {
  const at = returns?.indexOf("indices") ?? -1;
  const tensor = at >= 0 && given !== null && !isTensor(given) ? given[at] : null;
  return isTensor(tensor) ? [{ tensor, count: tensor.version.count }] : [];
}

/**
 * `given` is what the call made: autograd keeps tensors for it where it requires a gradient. A walk
 * backwards uses up what it keeps, numbers among the arguments of `names` as well.
 */
export function noteSaved(
  session: Session,
  dispatch: object,
  call: {
    readonly op: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly names: readonly string[];
    readonly tensors: Saved[];
    readonly given: Given;
  },
): void {
  const { op, args, names, tensors, given } = call;
  const savesNumber = names.some((name) => isScalar(args[name]));
  if ((tensors.length === 0 && !savesNumber) || !session.emit.gradMode) return;
  const keepsInference = tensors.some(({ tensor }) => tensor.version.isInference);
  if (keepsInference && tensorsIn(given).some(session.store.requiresGrad)) throw savedInference();
  session.saved.set(dispatch, { op, tensors });
}

const savedInference = () =>
  torchError(
    "RuntimeError",
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.",
  );
