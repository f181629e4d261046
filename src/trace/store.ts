/** Reading and editing tensors: storages, aliases, views taken again after an edit. */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { contiguousStrides, type Numbers, numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { edited } from "../random/generator.ts";
import { isRead, type NumbersJob } from "../weights/jobs.ts";
import type { DTypeArg } from "./arguments.ts";
import { gatherStrided, inMemory } from "./elements.ts";
import { heldTensors } from "./heldTensors.ts";
import { histories } from "./histories.ts";
import { takesMemory } from "./leafWindows.ts";
import { createMemory } from "./memory.ts";
import { formerRootStep, inGradMode, passThrough, writtenAs } from "./passThrough.ts";
import { isEditedUnseen, staleRead } from "./refusals.ts";
import { settling } from "./settling.ts";
import type { Creation, Store, StoreHooks } from "./storeTypes.ts";
import {
  coversStorage,
  isContiguous,
  isDetached,
  isLaidAs,
  noteInGraph,
  noteTurns,
  type Storage,
  type Tensor,
  takeAnew,
  taken,
  takenAs,
  unread,
  untouched,
  valueShape,
  viewsOf,
} from "./tensor.ts";
import { readParent, writeBack } from "./writeBack.ts";

export type { Store, StoreHooks, Window } from "./storeTypes.ts";

export function createStore(emit: Emitter, hooks: StoreHooks): Store {
  const held = heldTensors();
  const evaluated = new Map<number, Numbers>();
  const creation = new WeakMap<Tensor, Creation>();
  const pendingFills = new Map<Storage, NumbersJob>();
  const memory = createMemory(pendingFills);
  const complexValues = new WeakSet<Value>();

  function newRoot(
    type: DTypeArg,
    shape: readonly number[],
    strides: readonly number[] | null,
    storage: Omit<Storage, "root">,
  ): Tensor {
    const owned = storage as Storage;
    const tensor = held.register({
      dtype: type.dtype,
      isComplex: type.isComplex,
      shape,
      strides: strides ?? contiguousStrides(shape),
      offset: 0,
      storage: owned,
      version: store.inference ? { count: 0, isInference: true } : { count: 0 },
      parent: null,
      step: null,
      ...untouched,
    });
    owned.root = tensor;
    return tensor;
  }

  const store: Store = {
    emit,
    inStep: false,
    inference: false,
    pendingFills,
    turnedLeaves: new Map(),
    ...held,

    fromNumbers(type, shape, numbers, strides = null) {
      const length = numel(shape) * (type.isComplex ? 2 : 1);
      invariant(numbers === null || numbers.length === length, "numbers fit the shape");
      return newRoot(type, shape, strides, { ...unread, dtype: type.dtype, length, numbers });
    },

    fromValue(value, isComplex, strides = null) {
      const type = { dtype: value.dtype, isComplex };
      const shape = isComplex ? value.shape.slice(0, -1) : value.shape;
      const storage = {
        ...unread,
        dtype: value.dtype,
        length: numel(value.shape),
        numbers: null,
      };
      if (value.role !== "constant") return newRoot(type, shape, strides, { ...storage, value });
      const { data } = value;
      if (data === null || strides === null || isContiguous(shape, strides))
        return newRoot(type, shape, strides, { ...storage, numbers: data, captured: true });
      const numbers = inMemory(data, { shape, strides, isComplex });
      const tensor = newRoot(type, shape, strides, { ...storage, numbers });
      tensor.cached = { value, epoch: 0, emit: store.emit };
      return tensor;
    },

    view(parent, window, step, value) {
      const tensor = held.register({
        dtype: window.dtype ?? parent.dtype,
        isComplex: window.isComplex ?? parent.isComplex,
        shape: window.shape,
        strides: window.strides,
        offset: window.offset,
        storage: parent.storage,
        version: window.version ?? parent.version,
        parent,
        step,
        ...untouched,
        masked: parent.masked,
        conjugated: window.conjugated ?? parent.conjugated,
        negated: window.negated ?? parent.negated,
        inGraph: store.emit.gradMode && store.requiresGrad(parent),
        takenAt: (window.version ?? parent.version).count,
        takenAs: takenAs(parent, step, store.emit.gradMode),
      });
      const { origin, gradMode } = store.emit;
      const { epoch } = tensor.storage;
      creation.set(tensor, { origin, gradMode, epoch, version: tensor.takenAt });
      if (value) tensor.cached = { value, epoch: tensor.storage.epoch, emit: store.emit };
      else if (tensor.storage.value !== null || entering(tensor.storage.root)) store.read(tensor);
      return tensor;
    },

    read(tensor) {
      const value = readValue(tensor);
      if (tensor.isComplex) complexValues.add(value);
      return value;
    },

    isComplexValue: (value) => complexValues.has(value),

    isStale(tensor) {
      if (tensor.parent === null || tensor.step?.detaches) return false;
      if (tensor.cached?.epoch === tensor.storage.epoch) return false;
      if (tensor.storage.value === null) return false;
      return store.isStale(tensor.parent) || staleOf(tensor, store.read(tensor.parent)) !== null;
    },

    write(tensor, value) {
      const { storage } = tensor;
      tensor.version.count++;
      if (storage.value === null && value.role === "constant" && !entering(storage.root)) {
        memory.write(tensor, value.data as Numbers);
        return;
      }
      if (storage.value === null || entering(storage.root))
        storage.value = store.read(storage.root);
      takeAnew(tensor);
      writeBack(store, tensor, value);
      if (store.emit.gradMode) noteTurns(tensor);
      store.noteOwnEdit(tensor);
    },

    noteOwnEdit(tensor) {
      const made = creation.get(tensor);
      if (!made || !store.emit.gradMode) return;
      creation.set(tensor, { ...made, epoch: tensor.storage.epoch, version: tensor.version.count });
      noteInGraph(tensor);
    },

    fill(tensor, job) {
      const { storage } = tensor;
      invariant(storage.root.parent === null, "a root has no parent");
      tensor.version.count++;
      storage.epoch++;
      Object.assign(storage, { ...unread, epoch: storage.epoch, numbers: null, pending: job });
    },

    editFill(tensor, edit) {
      const { storage } = tensor;
      const { pending, dtype } = storage;
      // Each result is rounded by the array that holds it.
      const isHeldExactly = dtype === "float32" || dtype === "float64";
      if (pending === null || isRead(pending) || !isHeldExactly || tensor.dtype !== dtype)
        return false;
      if (!coversStorage(tensor)) return false;
      store.fill(tensor, edited(pending, edit));
      return true;
    },

    numbers(tensor) {
      const { storage } = tensor;
      if (storage.value === null) return memory.rows(tensor);
      const value = readWhatever(tensor);
      if (value.data !== null) {
        memory.finishFill(storage);
        return value.data;
      }
      let numbers = evaluated.get(value.id);
      if (!numbers) {
        numbers = hooks.evaluate(value);
        evaluated.set(value.id, numbers);
      }
      return numbers;
    },

    setNumbers: memory.replace,

    ...settling(memory, (tensor) => store.numbers(tensor)),

    isKnown: (tensor) => tensor.storage.value === null || readWhatever(tensor).data !== null,

    shown(tensor) {
      if (store.isKnown(tensor)) return store.numbers(tensor);
      const { parent, shape, strides, offset, storage, dtype } = tensor;
      const { root } = storage;
      const isWindow = parent !== null && dtype === root.dtype && !store.isStale(tensor);
      if (!isWindow || root.isComplex || !store.isKnown(root)) return null;
      return gatherStrided(inMemory(store.numbers(root), root), shape, strides, offset, 1);
    },

    requiresGrad(tensor) {
      if (tensor.leafRequiresGrad || (tensor.storage.isFollowed && !isDetached(tensor)))
        return true;
      const { value, root, remake } = tensor.storage;
      if (value === null)
        return (
          (remake !== null || (tensor.parent !== null && root.leafRequiresGrad)) &&
          !isDetached(tensor)
        );
      return store.isStale(tensor) || store.read(tensor).requiresGrad;
    },

    ...histories(creation, () => store),

    makeRoot(tensor) {
      const { storage } = tensor;
      const former = storage.root;
      if (former === tensor) return;
      if (takesMemory(tensor, store.inStep)) {
        if (storage.value !== null && !isLaidAs(former, tensor)) storage.value = store.read(tensor);
        former.parent = tensor;
        former.step = formerRootStep(former, tensor);
        former.cached = null;
      } else tensor.storage = memory.copyOfWindow(tensor);
      tensor.storage.remake = null;
      Object.assign(tensor, { parent: null, step: null, cached: null });
      tensor.storage.root = tensor;
    },

    keepViews(tensor) {
      const views = viewsOf(held.all(), tensor);
      if (views.length === 0) return;
      const { id: _, ...fields } = tensor;
      const standIn = held.register({ ...fields, leafRequiresGrad: false });
      if (tensor.storage.root === tensor) tensor.storage.root = standIn;
      const made = creation.get(tensor);
      if (made) creation.set(standIn, made);
      for (const view of views) view.parent = standIn;
    },

    makeLeaf(tensor) {
      const isBase = tensor.parent === null || tensor.step?.detaches;
      // Views that were taken of a view before it became a leaf are views of its base still.
      if (tensor.parent !== null && !(isBase && tensor.storage.value)) store.keepViews(tensor);
      if (tensor.storage.value === null) {
        store.makeRoot(tensor);
        tensor.entersAs ??= "input";
        // Views that were read as constants before are read anew.
        for (const view of held.all()) if (view.storage === tensor.storage) view.cached = null;
        return;
      }
      const read = store.read(tensor);
      if (tensor.leafRequiresGrad && isBase) cutOffViews(tensor);
      const value = tensor.leafRequiresGrad ? store.emit.leaf(read) : read;
      tensor.storage = { ...tensor.storage, value, numbers: null, pending: null, root: tensor };
      Object.assign(tensor, { parent: null, step: null, cached: null });
    },
  };

  function readValue(tensor: Tensor): Value {
    const { storage, cached } = tensor;
    const { emit } = store;
    if (emit.gradMode && isEditedUnseen(tensor)) throw staleRead(tensor);
    if (cached?.epoch === storage.epoch && cached.emit === emit) return cached.value;
    if (entering(storage.root)) enter(storage.root);
    if (!emit.gradMode && store.isStale(tensor)) return fromGraph(tensor);
    const isKnown = storage.value === null && !isFreeView(tensor);
    const value = isKnown ? constantOf(tensor) : fromGraph(tensor);
    tensor.cached = { value, epoch: storage.epoch, emit };
    return value;
  }

  /** Views that were taken before require a gradient with their base, and pass it none. */
  function cutOffViews(base: Tensor): void {
    for (const view of viewsOf(held.all(), base)) view.isCutOff = !view.step?.detaches;
    store.keepViews(base);
    for (const tensor of held.all())
      for (let at: Tensor | null = tensor; at?.storage === base.storage; at = at.parent)
        if (at !== base) at.cached = null;
  }

  /** A parameter, an argument of the model, or what was computed of them, not used yet. */
  const entering = ({ entersAs, storage }: Tensor): boolean =>
    store.inStep &&
    (storage.remake === null
      ? entersAs !== null && storage.value === null
      : storage.remake.within !== store.emit);

  function enter(root: Tensor): void {
    const { storage } = root;
    if (storage.remake !== null) {
      storage.remake.within = store.emit;
      storage.value = passThrough(store.emit, storage.remake.run(), constantOf(root));
      return;
    }
    const data = memory.toFeed(root);
    storage.value = store.emit.input(
      { dtype: root.dtype, shape: valueShape(root) },
      {
        role: root.entersAs ?? "input",
        name: root.name,
        requiresGrad: root.leafRequiresGrad,
        data,
      },
    );
    storage.captured = true;
    hooks.entered(root, storage.value);
  }

  /** A window of a free size on known numbers: the graph takes it of all of them. */
  function isFreeView(tensor: Tensor): boolean {
    const { dtype, parent, storage } = tensor;
    const isWanted = store.inStep && hooks.isFree({ dtype, shape: tensor.shape });
    return isWanted && parent !== null && (creation.get(tensor)?.epoch ?? -1) >= storage.epoch;
  }

  function constantOf(tensor: Tensor): Value {
    const { storage } = tensor;
    const data = memory.rows(tensor);
    if (data.buffer === storage.numbers?.buffer) storage.captured = true;
    return store.emit.constant({ dtype: tensor.dtype, shape: valueShape(tensor), data });
  }

  /** Numbers have no derivative. */
  function readWhatever(tensor: Tensor): Value {
    const read = () => store.read(tensor);
    return store.isStale(tensor) ? inGradMode(store.emit, false, read) : read();
  }

  function fromGraph(tensor: Tensor): Value {
    if (tensor.parent === null) {
      invariant(tensor.storage.value, "a root has its storage's value");
      return tensor.storage.value;
    }
    const parent = readParent(store, tensor.parent, tensor.step);
    const made = creation.get(tensor);
    const stale = staleOf(tensor, parent);
    // Where nothing is differentiated PyTorch does not ask where a view comes from.
    if (stale && store.emit.gradMode) throw stale;
    return writtenAs(store.emit, made?.origin, made?.gradMode ?? true, () => {
      const value = taken(tensor, store.emit, parent);
      const isFollowed = made?.gradMode !== false || tensor.step?.detaches;
      const isLeaf = parent.requiresGrad ? !isFollowed : tensor.isCutOff;
      if (isLeaf) return store.emit.leaf(value);
      const { cached, step } = tensor;
      const own = step?.detaches && cached?.emit === store.emit ? cached.value : null;
      // What a detached tensor was edited with is its history, whoever edits its elements next.
      if (own?.requiresGrad) return passThrough(store.emit, own, value);
      // A view has a gradient of its own, also where it shows what its parent is.
      return value === parent && parent.requiresGrad ? store.emit.op("Identity", [parent]) : value;
    });
  }

  function staleOf(tensor: Tensor, parent: Value): Error | null {
    const made = creation.get(tensor);
    if (!made || made.epoch >= tensor.storage.epoch) return null;
    const isCounted = made.version < tensor.version.count;
    const isWanted = parent.requiresGrad || tensor.storage.isFollowed;
    return isCounted && isWanted ? staleRead(tensor) : null;
  }

  return store;
}
