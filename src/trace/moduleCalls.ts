/** Calls of modules: what went in, what came out, and which torch calls were made meanwhile. */
import { invariant } from "../errors.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";
import { traced } from "./traced.ts";

export interface ModuleEntry {
  readonly path: string;
  readonly class: string;
  readonly file: string | null;
  readonly line: number | null;
}

export function enterModule(
  session: Session,
  entry: ModuleEntry,
  inputs: readonly Tensor[],
  held: readonly Tensor[],
): void {
  if (session.isStepOver) return;
  let module = session.modules.get(entry.path);
  if (!module) {
    module = { ...entry, calls: [] };
    session.modules.set(entry.path, module);
  }
  session.moduleStack.push({
    path: entry.path,
    call: module.calls.length + session.moduleStack.filter((f) => f.path === entry.path).length,
    inputs: session.store.inStep ? inputs.map((tensor) => traced(session, tensor)) : [],
    held: session.store.inStep ? held.map((tensor) => traced(session, tensor)) : [],
    firstCall: session.calls,
  });
}

export function exitModule(
  session: Session,
  outputs: readonly { readonly key: string; readonly tensor: Tensor }[],
): void {
  if (session.isStepOver) return;
  const frame = session.moduleStack.pop();
  invariant(frame, "a module is running");
  if (!session.store.inStep) return;
  const module = session.modules.get(frame.path);
  invariant(module, "the module was entered");
  module.calls.push({
    order: session.moduleOrder++,
    inputs: frame.inputs,
    held: frame.held,
    outputs: outputs.map(({ key, tensor }) => ({ key, ...traced(session, tensor) })),
    firstCall: frame.firstCall,
    endCall: session.calls,
  });
}

/** Leaves a module that raised. */
export function abandonModule(session: Session): void {
  if (session.isStepOver) return;
  session.moduleStack.pop();
}
