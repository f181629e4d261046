/**
 * Numbers that are decided now and made later, or never, in whatever thread: drawn from a generator,
 * or read from a slice of a file. All of it is plain data.
 */
import { inflateRawSync } from "node:zlib";
import { checkpointUnreadable } from "../errors.ts";
import { contiguousStrides, type DType, type Numbers, numel, sameShape } from "../graph/tensor.ts";
import { type FillJob, runFillJob } from "../random/generator.ts";
import { decodeElements, type Element, elementInfo } from "./elements.ts";
import { type FileSlices, withFile } from "./fileReader.ts";

/** One tensor in a file. */
export interface StoredTensor {
  readonly file: string;
  readonly element: Element;
  readonly little: boolean;
  /** Where its storage lies in the file, and how long it is there. */
  readonly position: number;
  readonly bytes: number;
  /** Length of the storage once inflated; null where it is not compressed. */
  readonly inflated: number | null;
  /** Bytes of the (inflated) storage before its elements: the head of a .npy entry. */
  readonly skip: number;
  readonly shape: readonly number[];
  /** In elements, as is `offset`. */
  readonly strides: readonly number[];
  readonly offset: number;
}

export interface ReadJob {
  readonly kind: "read";
  readonly tensor: StoredTensor;
  /** Numbers: two per complex element. */
  readonly count: number;
  /** What the numbers are cast to. */
  readonly dtype: DType;
}

export type NumbersJob = FillJob | ReadJob;

export const isRead = (job: NumbersJob): job is ReadJob => job.kind === "read";

export const readJob = (tensor: StoredTensor, dtype: DType): ReadJob => ({
  kind: "read",
  tensor,
  count: numel(tensor.shape) * (elementInfo(tensor.element).complex ? 2 : 1),
  dtype,
});

/** Writes a job's numbers to the whole of `out`. Throws where a file cannot be read. */
export function runJob(job: NumbersJob, out: Numbers): void {
  if (isRead(job)) withFile(job.tensor.file, (file) => readTensor(file, job, out));
  else runFillJob(job, out);
}

/** A multiple of every element's size. */
const bytesAtOnce = 1 << 22;

function readTensor(file: FileSlices, { tensor, dtype }: ReadJob, out: Numbers): void {
  if (out.length === 0) return;
  const { element, little } = tensor;
  const size = elementInfo(element).bytes;
  const isRowMajor = sameShape(tensor.strides, contiguousStrides(tensor.shape));
  const extent = isRowMajor ? numel(tensor.shape) : extentOf(tensor);
  const start = tensor.skip + tensor.offset * size;
  const slices = slicesOf(file, tensor, start, extent * size);
  if (isRowMajor) {
    let at = 0;
    for (const bytes of slices) {
      decodeElements(bytes, { element, little }, out, at, dtype);
      at += numbersIn(bytes, element);
    }
    return;
  }
  const span = Buffer.concat([...slices]);
  const ordered = gather(span, size, tensor);
  decodeElements(ordered, { element, little }, out, 0, dtype);
}

const numbersIn = (bytes: Uint8Array, element: Element): number => {
  const { bytes: size, complex } = elementInfo(element);
  return (bytes.length / size) * (complex ? 2 : 1);
};

/** `length` bytes from `start` of the storage on, in order. */
function* slicesOf(
  file: FileSlices,
  tensor: StoredTensor,
  start: number,
  length: number,
): Generator<Uint8Array> {
  if (tensor.inflated !== null) {
    yield inflate(file, tensor, tensor.inflated).subarray(start, start + length);
    return;
  }
  for (let at = 0; at < length; at += bytesAtOnce)
    yield file.read(tensor.position + start + at, Math.min(bytesAtOnce, length - at));
}

/** The whole of a compressed storage; not a byte more than it is said to have. */
export function inflate(
  file: FileSlices,
  { position, bytes }: Pick<StoredTensor, "position" | "bytes">,
  length: number,
): Uint8Array {
  let inflated: Uint8Array;
  try {
    inflated = inflateRawSync(file.read(position, bytes), { maxOutputLength: Math.max(length, 1) });
  } catch {
    throw checkpointUnreadable(file.path, "a compressed entry does not unpack to its stated size");
  }
  if (inflated.length === length) return inflated;
  throw checkpointUnreadable(file.path, "a compressed entry does not unpack to its stated size");
}

/** Elements from the first to the last that the tensor shows. */
export const extentOf = ({ shape, strides }: Pick<StoredTensor, "shape" | "strides">): number =>
  numel(shape) === 0
    ? 0
    : shape.reduce((last, size, axis) => last + (size - 1) * (strides[axis] ?? 0), 1);

function gather(span: Uint8Array, size: number, { shape, strides }: StoredTensor): Uint8Array {
  const out = new Uint8Array(numel(shape) * size);
  const visit = (axis: number, from: number, to: number): number => {
    if (axis === shape.length) {
      out.set(span.subarray(from * size, (from + 1) * size), to * size);
      return to + 1;
    }
    let next = to;
    for (let i = 0; i < (shape[axis] ?? 0); i++)
      next = visit(axis + 1, from + i * (strides[axis] ?? 0), next);
    return next;
  };
  visit(0, 0, 0);
  return out;
}
