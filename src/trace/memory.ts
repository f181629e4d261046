/** The numbers of storages: allocated, filled and edited when somebody needs them. */
import { allocate, type Numbers } from "../graph/tensor.ts";
import { type NumbersJob, runJob } from "../weights/jobs.ts";
import { gatherStrided, inMemory, scatterStrided } from "./elements.ts";
import { preservedStrides } from "./layout/strides.ts";
import { noteLeafWindow } from "./leafWindows.ts";
import { shareableNumbers } from "./shareable.ts";
import { isContiguous, type Negated, type Storage, type Tensor, unread } from "./tensor.ts";

export interface Memory {
  /** A storage's numbers now, in their order. */
  of(storage: Storage): Numbers;
  /** What a tensor shows, row by row: the storage's own memory where it lies so. */
  rows(tensor: Tensor): Numbers;
  /** The same of a root, but where it lies row by row a fill is left to other threads and noted. */
  toFeed(root: Tensor): Numbers;
  /** Makes a fill that was left to other threads now. */
  finishFill(storage: Storage): void;
  /** An edit: row-major numbers into the tensor's window. */
  write(tensor: Tensor, data: Numbers): void;
  /** Storage of its own for a leaf that was a part of something larger. */
  copyOfWindow(tensor: Tensor): Storage;
  /** Other row-major numbers in place of those that nothing has read yet. */
  replace(tensor: Tensor, rows: Numbers): void;
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

    rows(tensor) {
      const { storage, shape, strides, offset } = tensor;
      const rows = gatherStrided(memory.of(storage), shape, strides, offset, partsOf(tensor));
      return signed(rows, tensor.negated);
    },

    toFeed(root) {
      const { storage } = root;
      if (storage.pending === null || !isContiguous(root.shape, root.strides))
        return memory.rows(root);
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

    write(tensor, shown) {
      const { storage, shape, strides, offset } = tensor;
      const data = signed(shown, tensor.negated);
      if (data.length === storage.length && isContiguous(shape, strides)) {
        storage.pending = null;
        pendingFills.delete(storage);
        storage.numbers = data.slice();
      } else {
        const numbers = memory.of(storage);
        storage.numbers = storage.captured ? numbers.slice() : numbers;
        scatterStrided(storage.numbers, shape, strides, offset, partsOf(tensor), data);
      }
      storage.captured = false;
      storage.epoch++;
    },

    copyOfWindow(tensor) {
      noteLeafWindow(tensor);
      const numbers = memory.rows(tensor);
      tensor.negated = "nothing";
      tensor.strides = preservedStrides(tensor);
      tensor.offset = 0;
      const held = inMemory(numbers, tensor);
      return { ...unread, dtype: tensor.dtype, length: held.length, numbers: held, root: tensor };
    },

    replace(tensor, rows) {
      const { storage, shape, strides, offset } = tensor;
      const data = signed(rows, tensor.negated);
      scatterStrided(memory.of(storage), shape, strides, offset, partsOf(tensor), data);
    },
  };
  return memory;
}

/** What memory holds of what is shown, and the other way round. */
function signed(numbers: Numbers, negated: Negated): Numbers {
  if (negated === "nothing") return numbers;
  const turned = numbers.slice();
  const step = negated === "all" ? 1 : 2;
  for (let at = step - 1; at < turned.length; at += step) turned[at] = -(turned[at] as number);
  return turned;
}

/** Numbers per element. */
const partsOf = ({ isComplex }: Tensor): number => (isComplex ? 2 : 1);
