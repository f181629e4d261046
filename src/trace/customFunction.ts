/** torch.autograd.Function, and what Python computes while the walk goes backwards. */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { preservedStrides } from "./layout/strides.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";

/** Runs a backward of Python's: gradients in and out by tensor id, 0 where there is none. */
export type RunBackward = (number: number, gradients: readonly number[]) => readonly number[];

/** The values that a function is differentiated by: read before its forward may edit them. */
export const functionInputs = (session: Session, inputs: readonly Tensor[]): readonly Value[] =>
  inputs.map(session.store.read);

/**
 * What forward made, under the gradient that Python's backward number `number` computes, once only
 * where it `saves` tensors. An output that is `edited` is an argument which forward edited: it stays
 * the tensor that it is.
 */
export function customFunction(
  session: Session,
  { number, saves }: { readonly number: number; readonly saves: boolean },
  inputs: readonly Value[],
  outputs: readonly Tensor[],
  edited: readonly boolean[],
): Tensor[] {
  const { store, emit } = session;
  const { direction, call } = emit.origin;
  // Not the last call of forward: what that saved is no concern of this gradient.
  const dispatch = {};
  emit.origin = { direction, call, group: null, dispatch };
  if (saves) session.saved.set(dispatch, { op: call?.op ?? "apply", tensors: [] });
  const made = emit.grouped(
    inputs,
    () => outputs.map((output) => emit.op("Identity", [store.read(output)])),
    (_emit, dOutputs) => {
      const gradients = dOutputs.map((d, i) =>
        d === null ? 0 : store.fromValue(d, outputs[i]?.isComplex === true).id,
      );
      const given = duringWalk(session, () => session.runBackward(number, gradients));
      return given.map((id) => (id === 0 ? null : store.read(store.tensorOf(id))));
    },
  );
  return outputs.map((output, i) => {
    const value = made[i];
    invariant(value, "a function has a value for each output");
    if (!edited[i]) return store.fromValue(value, output.isComplex, preservedStrides(output));
    store.write(output, value);
    return output;
  });
}

/** Python's calls within `run` belong to the call whose gradient is being computed. */
export function duringWalk<T>(session: Session, run: () => T): T {
  const { emit, running, depth } = session;
  const { origin, gradMode } = emit;
  session.walk = origin;
  session.running = origin.call ?? session.values.at(-1)?.call ?? null;
  session.depth = 1;
  try {
    return run();
  } finally {
    Object.assign(session, { walk: null, running, depth });
    Object.assign(emit, { origin, gradMode });
  }
}
