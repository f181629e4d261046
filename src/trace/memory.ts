/** The numbers of storages: allocated, filled and edited when somebody needs them. */
import { allocate, type Numbers } from "../graph/tensor.ts";
import { type NumbersJob, runJob } from "../weights/jobs.ts";
import { shareableNumbers } from "./shareable.ts";
import { isContiguous, type Storage, scatterStrided, type Tensor } from "./tensor.ts";

export interface Memory {
  /** A storage's numbers now. */
  of(storage: Storage): Numbers;
  /** The same, but a fill is left to other threads: it is noted as pending. */
  toFeed(storage: Storage): Numbers;
  /** Makes a fill that was left to other threads now. */
  finishFill(storage: Storage): void;
  /** Writes row-major numbers into the tensor's window. */
  write(tensor: Tensor, data: Numbers): void;
}

export function createMemory(pendingFills: Map<Storage, NumbersJob>): Memory {
  const memory: Memory = {
    of(storage) {
      memory.finishFill(storage);
      if (storage.numbers !== null) return storage.numbers;
      const { pending } = storage;
      const numbers =
        pending === null ? allocate(storage.dtype, storage.length) : shareableNumbers(storage);
      if (pending !== null) runJob(pending, numbers);
      storage.pending = null;
      storage.numbers = numbers;
      return numbers;
    },

    toFeed(storage) {
      if (storage.pending === null) return memory.of(storage);
      const numbers = shareableNumbers(storage);
      pendingFills.set(storage, storage.pending);
      storage.pending = null;
      storage.numbers = numbers;
      return numbers;
    },

    finishFill(storage) {
      const job = pendingFills.get(storage);
      if (job === undefined || storage.numbers === null) return;
      runJob(job, storage.numbers);
      pendingFills.delete(storage);
    },

    write(tensor, data) {
      const { storage, shape, strides, offset } = tensor;
      if (data.length === storage.length && isContiguous(shape, strides)) {
        storage.pending = null;
        pendingFills.delete(storage);
        storage.numbers = data.slice();
      } else {
        const numbers = memory.of(storage);
        storage.numbers = storage.captured ? numbers.slice() : numbers;
        const group = tensor.isComplex ? 2 : 1;
        scatterStrided(storage.numbers, shape, strides, offset, group, data);
      }
      storage.captured = false;
      storage.epoch++;
    },
  };
  return memory;
}
