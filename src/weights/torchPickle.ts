/** The functions that PyTorch's own pickles of tensors name, and what each gives. No others are. */
import { checkpointRefused, checkpointUnreadable, NormscopeError } from "../errors.ts";
import { numel } from "../graph/tensor.ts";
import type { Tree } from "./checkpoint.ts";
import { type Element, elementInfo, isElement } from "./elements.ts";
import { extentOf, type StoredTensor } from "./jobs.ts";
import { type Item, type PickleHost, unpickle } from "./pickle.ts";
import { BadPickle } from "./pickleBytes.ts";

/** The elements of one or more tensors, outside of the pickle. */
export interface StorageRef {
  /** null: bytes, whose type the tensor says. */
  readonly element: Element | null;
  readonly key: string;
  /** Elements; bytes where there is no type. */
  readonly count: number;
}

/** Where a storage lies in the file. Throws where it is not there, or too short. */
export type Locate = (
  storage: StorageRef,
) => Pick<StoredTensor, "file" | "position" | "bytes" | "inflated" | "little">;

export interface TorchPickle {
  readonly value: Tree;
  readonly end: number;
  readonly storages: readonly StorageRef[];
}

type Own = StorageRef;

/** Unpickles from `start` on. Throws for whatever else than tensors and plain values. */
export function unpickleTorch(
  file: string,
  bytes: Uint8Array,
  start: number,
  locate: Locate,
): TorchPickle {
  const storages = new Map<string, StorageRef>();
  const host = torchHost(file, storages, locate);
  try {
    const { value, end } = unpickle(bytes, host, start);
    return { value: plain(value), end, storages: [...storages.values()] };
  } catch (error) {
    if (error instanceof NormscopeError) throw error;
    if (!(error instanceof BadPickle)) throw error;
    throw checkpointUnreadable(file, `its pickle is damaged: ${error.message}`);
  }
}

const storageTypes: Readonly<Record<string, Element>> = {
  DoubleStorage: "float64",
  FloatStorage: "float32",
  HalfStorage: "float16",
  BFloat16Storage: "bfloat16",
  LongStorage: "int64",
  IntStorage: "int32",
  ShortStorage: "int16",
  CharStorage: "int8",
  ByteStorage: "uint8",
  BoolStorage: "bool",
  ComplexFloatStorage: "complex64",
  ComplexDoubleStorage: "complex128",
};

const storageGlobal = /^torch(?:\.cuda|\.storage)?\.(\w+Storage)$/;

const callables = new Set([
  "collections.OrderedDict",
  "torch._utils._rebuild_tensor",
  "torch._utils._rebuild_tensor_v2",
  "torch._utils._rebuild_tensor_v3",
  "torch._utils._rebuild_parameter",
  "torch._utils._rebuild_parameter_with_state",
  "torch.Size",
  "torch.device",
  "torch.serialization._get_layout",
  "_codecs.encode",
  "builtins.set",
  "__builtin__.set",
]);

function torchHost(
  file: string,
  storages: Map<string, StorageRef>,
  locate: Locate,
): PickleHost<Own> {
  return {
    find(name) {
      const storage = storageGlobal.exec(name)?.[1];
      if (storage === "UntypedStorage" || storageTypes[storage ?? ""] !== undefined)
        return { kind: "global", name };
      if (callables.has(name)) return { kind: "global", name };
      const dtype = /^torch\.(\w+)$/.exec(name)?.[1] ?? "";
      if (isElement(dtype)) return { kind: "dtype", name: dtype };
      throw checkpointRefused(file, name);
    },
    call(callee, args) {
      if (callee.kind !== "global") throw new BadPickle("it calls what is no function");
      return called(callee.name, args, (storage) => ({ storage, place: locate(storage) }));
    },
    persistent(id) {
      const storage = storageOf(id);
      storages.set(storage.key, storages.get(storage.key) ?? storage);
      return { kind: "own", own: storage };
    },
  };
}

/** ("storage", type, key, device, count), and in old files a view of it, which none makes. */
function storageOf(id: Item<Own>): StorageRef {
  const items: readonly Item<Own>[] = id.kind === "tuple" ? id.items : [];
  const [word, type, key, , count] = items;
  const isStorage = word?.kind === "text" && word.value === "storage";
  if (!isStorage || type?.kind !== "global" || key?.kind !== "text" || count?.kind !== "int")
    throw new BadPickle("it refers to what is no storage");
  const name = storageGlobal.exec(type.name)?.[1] ?? "";
  const element = storageTypes[name] ?? null;
  return { element, key: key.value, count: size(count) };
}

type Placed = { storage: StorageRef; place: ReturnType<Locate> };

function called(
  name: string,
  args: readonly Item<Own>[],
  locate: (storage: StorageRef) => Placed,
): Item<Own> {
  const [first, second, third, fourth] = args;
  switch (name) {
    case "collections.OrderedDict":
      return ordered(first);
    case "torch._utils._rebuild_tensor":
    case "torch._utils._rebuild_tensor_v2":
    case "torch._utils._rebuild_tensor_v3": {
      const dtype = name.endsWith("_v3") ? args[6] : undefined;
      const requiresGrad = args[4]?.kind === "bool" && args[4].value;
      const tensor = rebuilt(locate(own(first)), second, third, fourth, dtype);
      return { kind: "tensor", tensor, isParameter: false, requiresGrad };
    }
    case "torch._utils._rebuild_parameter":
    case "torch._utils._rebuild_parameter_with_state": {
      if (first?.kind !== "tensor") throw new BadPickle("a parameter is no tensor");
      const requiresGrad = second?.kind === "bool" && second.value;
      return { ...first, isParameter: true, requiresGrad };
    }
    case "torch.Size":
      return { kind: "size", items: first?.kind === "tuple" ? first.items : [] };
    case "torch.device":
      return { kind: "device", name: args.map(textOf).join(":") };
    case "torch.serialization._get_layout":
      return { kind: "layout", name: textOf(first) };
    case "_codecs.encode":
      return { kind: "bytes", value: Buffer.from(textOf(first), "latin1") };
    case "builtins.set":
    case "__builtin__.set":
      return { kind: "set", items: first?.kind === "list" ? first.items : [] };
    default:
      throw new BadPickle(`it calls '${name}'`);
  }
}

function ordered(items: Item<Own> | undefined): Tree {
  const pairs = items?.kind === "list" ? items.items : [];
  const entries = pairs.map((pair): [Tree, Tree] => {
    const [key, value] = pair.kind === "tuple" || pair.kind === "list" ? pair.items : [];
    if (key === undefined || value === undefined) throw new BadPickle("an item is no pair");
    return [key, value];
  });
  return { kind: "ordered", entries };
}

function own(item: Item<Own> | undefined): StorageRef {
  if (item?.kind === "own") return item.own;
  throw new BadPickle("a tensor has no storage");
}

function rebuilt(
  { storage, place }: Placed,
  offsetItem: Item<Own> | undefined,
  sizes: Item<Own> | undefined,
  strideItems: Item<Own> | undefined,
  dtype: Item<Own> | undefined,
): StoredTensor {
  const element = dtype?.kind === "dtype" ? (dtype.name as Element) : storage.element;
  if (element === null) throw new BadPickle("a tensor has no element type");
  const [shape, strides, offset] = [sizesOf(sizes), sizesOf(strideItems), size(offsetItem)];
  const tensor = { ...place, element, skip: 0, shape, strides, offset };
  const available = Math.floor((place.inflated ?? place.bytes) / elementInfo(element).bytes);
  const fits = offset + extentOf(tensor) <= available;
  if (strides.length === shape.length && (numel(shape) === 0 || fits)) return tensor;
  throw new BadPickle(`a tensor of shape [${shape.join(", ")}] reaches beyond its storage`);
}

const sizesOf = (item: Item<Own> | undefined): number[] => {
  if (item?.kind === "tuple" || item?.kind === "size") return item.items.map(size);
  throw new BadPickle("a tensor has no shape");
};

function size(item: Item<Own> | undefined): number {
  const value = item?.kind === "int" ? Number(item.value) : -1;
  if (value >= 0 && Number.isSafeInteger(value)) return value;
  throw new BadPickle("a size is no whole number");
}

const textOf = (item: Item<Own> | undefined): string => {
  if (item?.kind === "text") return item.value;
  return item?.kind === "int" ? String(item.value) : "";
};

function plain(item: Item<Own>): Tree {
  if (item.kind === "global" || item.kind === "own")
    throw new BadPickle("its value is neither plain nor a tensor");
  return item;
}
