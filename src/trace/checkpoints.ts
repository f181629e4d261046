/** What Python asks of checkpoint files, their values as JSON, and of numbers that are not made before they are needed. */
import { realpathSync } from "node:fs";
import { relative, sep } from "node:path";
import { checkpointUnreadable, invariant, torchError } from "../errors.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Checkpoint, Tree } from "../weights/checkpoint.ts";
import { elementInfo } from "../weights/elements.ts";
import { isRead, readJob, type StoredTensor } from "../weights/jobs.ts";
import { openCheckpoint } from "../weights/open.ts";
import { fromPythonPath } from "./python/paths.ts";
import type { Session } from "./session.ts";
import { isContiguous, type Tensor } from "./tensor.ts";

export function checkpointFunctions(session: Session) {
  const { store, checkpoints } = session;
  return {
    /** The checkpoint of the request: {format, files, metadata, tree}. */
    open_given_checkpoint(): string {
      const { given } = checkpoints;
      invariant(given, "the request names a checkpoint");
      return described(openCheckpoint(given), checkpoints.tensors);
    },
    /** One that the script names; it must lie in the workspace. */
    open_checkpoint(path: string): string {
      const file = fromPythonPath(path);
      if (!isWithin(session.root, file))
        throw checkpointUnreadable(file, "it lies outside of the workspace");
      return described(openCheckpoint(file), checkpoints.tensors);
    },
    /** A tensor of a checkpoint, by its number in `tree`; its numbers are read when needed. */
    checkpoint_tensor(index: number): number {
      const stored = checkpoints.tensors[index];
      invariant(stored, `no tensor ${index} in a checkpoint`);
      const { dtype, complex = false } = elementInfo(stored.element);
      const tensor = store.fromNumbers({ dtype, isComplex: complex }, stored.shape, null);
      tensor.storage.pending = readJob(stored, dtype);
      return tensor.id;
    },
    /**
     * Leaves the copy of `from` into `to` for later, where `from` has not been read yet. False
     * where that cannot be: they are to be copied now.
     */
    take_pending(to: number, from: number): boolean {
      const [target, source] = [store.tensorOf(to), store.tensorOf(from)];
      const { pending } = source.storage;
      if (store.inStep || pending === null || !isRead(pending)) return false;
      const fits = sameShape(target.shape, source.shape) && target.isComplex === source.isComplex;
      if (!fits || !isWhole(source) || !isWhole(target)) return false;
      store.fill(target, readJob(pending.tensor, target.dtype));
      return true;
    },
    /** Whether all numbers are known to be 0; those that nobody has read or drawn yet are not. */
    is_zero(id: number): boolean {
      const { storage } = store.tensorOf(id);
      const { value, pending, numbers } = storage;
      if (value !== null || pending !== null || store.pendingFills.has(storage)) return false;
      return numbers === null || numbers.every((x) => x === 0);
    },
  };
}

const isWhole = ({ storage, parent, shape, strides, offset, isComplex }: Tensor): boolean =>
  parent === null &&
  offset === 0 &&
  isContiguous(shape, strides) &&
  shape.reduce((n, size) => n * size, isComplex ? 2 : 1) === storage.length;

function isWithin(root: string, file: string): boolean {
  try {
    const below = relative(realpathSync(root), realpathSync(file));
    return below !== ".." && !below.startsWith(`..${sep}`) && !/^(?:\/|[A-Za-z]:)/.test(below);
  } catch {
    return false;
  }
}

function described({ format, files, root, metadata }: Checkpoint, tensors: StoredTensor[]): string {
  return JSON.stringify({ format, files, metadata, tree: encoder(tensors)(root, 0) });
}

type Encoded = readonly [kind: string, ...content: unknown[]];

const depthLimit = 200;
const nodeLimit = 5_000_000;

/** Kind and content of each value; tensors by their number. Shared values are written each time. */
function encoder(tensors: StoredTensor[]) {
  let nodes = 0;
  const encode = (tree: Tree, depth: number): Encoded => {
    if (depth > depthLimit || nodes++ > nodeLimit)
      throw torchError("RuntimeError", "The checkpoint holds values within values without end");
    const inner = (item: Tree) => encode(item, depth + 1);
    switch (tree.kind) {
      case "none":
        return ["none"];
      case "bool":
      case "text":
        return [tree.kind, tree.value];
      case "int":
        return ["int", String(tree.value)];
      case "float":
        return ["float", String(tree.value)];
      case "bytes":
        return ["bytes", Buffer.from(tree.value).toString("hex")];
      case "list":
      case "tuple":
      case "set":
      case "size":
        return [tree.kind, tree.items.map(inner)];
      case "dict":
      case "ordered":
        return [tree.kind, tree.entries.map(([key, value]) => [inner(key), inner(value)])];
      case "dtype":
      case "device":
      case "layout":
        return [tree.kind, tree.name];
      case "tensor": {
        const { tensor, isParameter, requiresGrad } = tree;
        const { widened = false } = elementInfo(tensor.element);
        const index = tensors.push(tensor) - 1;
        return ["tensor", index, isParameter, requiresGrad, widened ? tensor.element : ""];
      }
    }
  };
  return encode;
}
