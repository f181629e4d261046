/** What the report will need of a tensor, as it is now. */
import type { TracedTensor } from "./program.ts";
import { typeOf } from "./promotion.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";

export function traced({ store, hooks, recomputed }: Session, tensor: Tensor): TracedTensor {
  const { shape, masked } = tensor;
  const value = store.read(tensor);
  const hooked = hooks.get(value.id)?.length;
  return {
    ...{ value, dtype: typeOf(tensor), shape, masked },
    ...(hooked && { hooks: hooked }),
    ...(recomputed > 0 && { isUnseen: true as const }),
  };
}

/** The row of the call that has ended last, which made `tensor`, tells of it as it is now. */
export function traceAnew(session: Session, tensor: Tensor): void {
  const { store, running, values } = session;
  const row = values.at(-1);
  if (!store.inStep || running !== null || row === undefined) return;
  values[values.length - 1] = { ...row, ...traced(session, tensor) };
}
