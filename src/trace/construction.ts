/**
 * What construction computes from what requires a gradient. Its numbers are known at once, as all
 * of construction's are; how they depend on parameters the graph only learns within the step, where
 * the calls run once more.
 */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import { noOrigin } from "../ops/emitter.ts";
import { isTensor } from "./arguments.ts";
import { type AnyCall, type Given, isTyped, isValue, type Result, type Typed } from "./call.ts";
import { writtenAs } from "./passThrough.ts";
import type { Session } from "./session.ts";
import { isDetached, type Tensor, valueShape } from "./tensor.ts";

/** Calls that take of their argument its shape and type alone, or the numbers without history. */
const takesNoGradient = /_like$|^new_|^fresh$/;

/** Whether what the call gives now must be computed once more in the step. */
export function isRemade(session: Session, spec: AnyCall, tensors: readonly Tensor[]): boolean {
  const { store, emit, countsOnly } = session;
  if (store.inStep || !emit.gradMode || countsOnly) return false;
  return !takesNoGradient.test(spec.name) && tensors.some((tensor) => store.requiresGrad(tensor));
}

/** Runs a call of construction within the step: it belongs to no line of the step. */
function within<T>(session: Session, build: () => T): T {
  const { running } = session;
  session.running = null;
  try {
    return writtenAs(session.emit, noOrigin, true, build);
  } finally {
    session.running = running;
  }
}

/** Notes for each new tensor that a call gave how the step finds its value. */
export function noteRemade(
  session: Session,
  given: Given,
  tensors: readonly Tensor[],
  remake: () => Result,
): void {
  let made: readonly (Value | Typed | Tensor)[] | null = null;
  let madeBy: Session["emit"] | null = null;
  const all = (): readonly (Value | Typed | Tensor)[] => {
    if (made === null || madeBy !== session.emit) {
      made = within(session, () => flat(remake()));
      madeBy = session.emit;
    }
    return made;
  };
  flatGiven(given).forEach((tensor, at) => {
    const isArgument = tensors.some(({ storage }) => storage === tensor.storage);
    if (tensor.parent !== null || isArgument || !isDerived(tensor)) return;
    const run = () => madeAs(session, all()[at], tensor);
    tensor.storage.remake = { run, within: null };
  });
}

/** Notes that `target` was edited: the step makes what it was, and edits that. */
export function noteRemadeEdit(session: Session, target: Tensor, edit: () => void): void {
  const { storage } = target;
  if (isDetached(target) || !isDerived(target)) return;
  const before = storage.remake;
  const { root } = storage;
  const held = { dtype: root.dtype, shape: valueShape(root) };
  const data = before === null ? session.store.numbers(root).slice() : null;
  const run = () => {
    const was = data === null ? before?.run() : session.emit.constant({ ...held, data });
    storage.value = was ?? null;
    storage.epoch++;
    within(session, edit);
    invariant(storage.value, "an edit leaves a value");
    return storage.value;
  };
  storage.remake = { run, within: null };
}

/** Integers have no gradient. */
const isDerived = ({ dtype, isComplex }: Tensor): boolean => isComplex || isFloat(dtype);

function madeAs(session: Session, made: Value | Typed | Tensor | undefined, like: Tensor): Value {
  invariant(made, "the call gives as much as it gave before");
  const value = isTyped(made) ? made.typed : isValue(made) ? made : session.store.read(made);
  return value.dtype === like.dtype ? value : session.emit.op("Cast", [value], { to: like.dtype });
}

const flat = (result: Result): readonly (Value | Typed | Tensor)[] =>
  Array.isArray(result) ? result.flatMap(flat) : [result as Value | Typed | Tensor];

const flatGiven = (given: Given): readonly Tensor[] =>
  given === null ? [] : isTensor(given) ? [given] : given.flatMap(flatGiven);
