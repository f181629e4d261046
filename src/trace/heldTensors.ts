/** The tensors that somebody holds: Python by their ids, the store where it has taken one apart. */
import { invariant } from "../errors.ts";
import type { Tensor } from "./tensor.ts";

export interface HeldTensors {
  register(fields: Omit<Tensor, "id">): Tensor;
  tensorOf(id: number): Tensor;
  release(id: number): void;
  /** Python holds it again. */
  holdAgain(tensor: Tensor): void;
  all(): IterableIterator<Tensor>;
  /** Runs a call. What it made beside its results nobody holds from then on, also where it throws. */
  runCall<Given>(run: () => Given, resultsOf: (given: Given) => readonly Tensor[]): Given;
}

export function heldTensors(): HeldTensors {
  let nextId = 1;
  const tensors = new Map<number, Tensor>();

  /** Leaves and what enters the graph stay: the next step begins with them. */
  function releaseSince(firstId: number, results: readonly Tensor[]): void {
    for (let id = firstId; id < nextId; id++) {
      const tensor = tensors.get(id);
      if (!tensor || tensor.leafRequiresGrad || tensor.entersAs !== null) continue;
      if (!results.includes(tensor)) tensors.delete(id);
    }
  }

  return {
    register(fields) {
      const tensor: Tensor = { id: nextId++, ...fields };
      tensors.set(tensor.id, tensor);
      return tensor;
    },
    tensorOf(id) {
      const tensor = tensors.get(id);
      invariant(tensor, `no tensor ${id}`);
      return tensor;
    },
    release: (id) => {
      tensors.delete(id);
    },
    holdAgain: (tensor) => {
      tensors.set(tensor.id, tensor);
    },
    all: () => tensors.values(),
    runCall(run, resultsOf) {
      const firstId = nextId;
      let results: readonly Tensor[] = [];
      try {
        const given = run();
        results = resultsOf(given);
        return given;
      } finally {
        releaseSince(firstId, results);
      }
    },
  };
}
