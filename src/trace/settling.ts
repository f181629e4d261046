/** What buffers hold from one step of a training to the next. */
import type { Numbers } from "../graph/tensor.ts";
import { inMemory } from "./elements.ts";
import type { Memory } from "./memory.ts";
import type { Session } from "./session.ts";
import type { Store } from "./storeTypes.ts";
import { forget, type Storage, type Tensor } from "./tensor.ts";

export function settling(
  memory: Memory,
  numbersOf: (tensor: Tensor) => Numbers,
): Pick<Store, "hold" | "settle" | "settleEdited"> {
  const self: Pick<Store, "hold" | "settle" | "settleEdited"> = {
    hold(storage) {
      if (storage.value !== null) return;
      memory.finishFill(storage);
      const { numbers, pending } = storage;
      storage.held = { numbers, pending };
      storage.captured = true;
    },

    settle(storage, keeps) {
      const { root, held, value } = storage;
      if (root.entersAs !== null) return;
      if (keeps && value !== null) self.settleEdited(storage);
      if (keeps || (value === null && held === null)) return;
      forget(storage);
      if (held !== null) Object.assign(storage, { ...held, captured: true });
    },

    settleEdited(storage) {
      const { root } = storage;
      storage.numbers = inMemory(numbersOf(root), root);
      storage.remake = null;
      forget(storage);
    },
  };
  return self;
}

/** Of the functions that Python calls: those of training's steps. */
export function settlingFunctions(session: Session) {
  const { store } = session;
  const storageOf = (id: number): Storage => store.tensorOf(id).storage;
  return {
    /** Whether this is a run of training, of which the step is one. */
    trains: () => session.trains,
    /** A step begins: the numbers of a buffer are kept. */
    hold(id: number) {
      store.hold(storageOf(id));
    },
    /** A step is over: a buffer holds the numbers that it made of it, or those before it. */
    settle(id: number, keeps: boolean) {
      store.settle(storageOf(id), keeps);
    },
    /** The same for a parameter that the step has edited; its numbers before may be gone. */
    settle_parameter(id: number) {
      store.settleEdited(storageOf(id));
    },
    /** Whether the step has computed what a tensor holds. */
    is_made: (id: number): boolean => storageOf(id).value?.role === "node",
  };
}
