/** NumPy's arrays: .npy files, and .npz archives of them. */
import { checkpointUnreadable } from "../errors.ts";
import { contiguousStrides, numel } from "../graph/tensor.ts";
import { type Element, elementInfo } from "./elements.ts";
import { type FileSlices, withFile } from "./fileReader.ts";
import { inflate, type StoredTensor } from "./jobs.ts";
import { readZip, type ZipEntry } from "./zip.ts";

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const headLimit = 1 << 16;

export const isNpy = (head: Uint8Array): boolean => magic.every((byte, i) => head[i] === byte);

export const readNpy = (path: string): StoredTensor =>
  withFile(path, (file) => {
    const head = file.read(0, Math.min(file.size, headLimit));
    const place = { file: path, position: 0, bytes: file.size, inflated: null };
    return arrayOf(path, path, head, place);
  });

/** By name, without ".npy". */
export const readNpz = (path: string): ReadonlyMap<string, StoredTensor> =>
  withFile(path, (file) => {
    const tensors = new Map<string, StoredTensor>();
    for (const entry of readZip(file).values()) {
      if (!entry.name.endsWith(".npy")) continue;
      const { position, bytes, inflated } = entry;
      const place = { file: path, position, bytes, inflated };
      const array = arrayOf(path, entry.name, headOf(file, entry), place);
      tensors.set(entry.name.slice(0, -".npy".length), array);
    }
    if (tensors.size === 0) throw checkpointUnreadable(path, "its archive has no arrays");
    return tensors;
  });

function headOf(file: FileSlices, entry: ZipEntry): Uint8Array {
  if (entry.inflated === null) return file.read(entry.position, Math.min(entry.bytes, headLimit));
  return inflate(file, entry, entry.inflated).subarray(0, headLimit);
}

const elementOf: Readonly<Record<string, Element>> = {
  f8: "float64",
  f4: "float32",
  f2: "float16",
  c8: "complex64",
  c16: "complex128",
  i8: "int64",
  i4: "int32",
  i2: "int16",
  i1: "int8",
  u8: "uint64",
  u4: "uint32",
  u2: "uint16",
  u1: "uint8",
  b1: "bool",
};

type Place = Pick<StoredTensor, "file" | "position" | "bytes" | "inflated">;

/** `head` is the array's beginning: magic, version, length, and a dict as Python writes one. */
function arrayOf(file: string, name: string, head: Uint8Array, place: Place): StoredTensor {
  const fail = (reason: string) => checkpointUnreadable(file, reason);
  if (!isNpy(head) || head.length < 12) throw fail(`'${name}' is no array of NumPy`);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isLong = view.getUint8(6) >= 2;
  const start = isLong ? 12 : 10;
  const skip = start + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  if (skip > head.length) throw fail(`the head of '${name}' is cut short`);
  const text = new TextDecoder("latin1").decode(head.subarray(start, skip));
  const descr = /'descr':\s*'([<>|=])(\w+)'/.exec(text);
  const sizes = /'shape':\s*\(([\d,\s]*)\)/.exec(text)?.[1];
  const element = elementOf[descr?.[2] ?? ""];
  if (sizes === undefined) throw fail(`'${name}' does not say its shape`);
  if (element === undefined) {
    const found = /'descr':\s*('[^']*'|\[)/.exec(text)?.[1] ?? "none";
    throw fail(`'${name}' has the element type ${found === "[" ? "of a record" : found}`);
  }
  const shape = sizes.split(",").flatMap((size) => (size.trim() === "" ? [] : [Number(size)]));
  const needed = skip + numel(shape) * elementInfo(element).bytes;
  const found = place.inflated ?? place.bytes;
  if (found !== needed) throw fail(`'${name}' has ${found} bytes; its shape needs ${needed}`);
  const isColumnMajor = /'fortran_order':\s*True/.test(text);
  const strides = isColumnMajor
    ? contiguousStrides(shape.toReversed()).reverse()
    : contiguousStrides(shape);
  return { ...place, element, little: descr?.[1] !== ">", skip, shape, strides, offset: 0 };
}
