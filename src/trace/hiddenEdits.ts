/** Edits of results that PyTorch gives as views of what nobody holds. */
import { writtenAs } from "./passThrough.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";

/** The edit goes through the hidden base: hooks that are on the result by now hear nothing of it. */
export function editThroughHiddenBase({ store, emit }: Session, target: Tensor): void {
  if (!target.hasHiddenBase || target.parent !== null || !emit.gradMode) return;
  if (!store.inStep || !store.requiresGrad(target)) return;
  const shown = store.read(target);
  const origin = { ...emit.origin, isUnheard: true } as const;
  target.storage.value = writtenAs(emit, origin, true, () => emit.op("Identity", [shown]));
  target.cached = null;
}
