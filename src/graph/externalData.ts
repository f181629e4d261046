/** Where large tensors lie in the file beside a model, and that file's bytes piece by piece. */
import { toBytes } from "./bytes.ts";
import { bytesOf, type HostArray } from "./tensor.ts";

/** ONNX asks for this, so that a reader can map the tensors into memory. */
const alignment = 4096;
const pieceElements = 1 << 22;

export interface ExternalLayout {
  place(array: HostArray): { readonly offset: number; readonly length: number };
  /** All that were placed, each piece a few megabytes: half types and int64 are converted on the way. */
  pieces(): Iterable<Uint8Array>;
}

export const storedBytes = ({ dtype, data }: Pick<HostArray, "dtype" | "data">): number =>
  data.length * bytesOf[dtype];

export function createExternalLayout(): ExternalLayout {
  const arrays: HostArray[] = [];
  let end = 0;
  return {
    place(array) {
      const offset = aligned(end);
      const length = storedBytes(array);
      arrays.push(array);
      end = offset + length;
      return { offset, length };
    },
    *pieces() {
      let written = 0;
      for (const { dtype, data } of arrays) {
        const padding = aligned(written) - written;
        if (padding > 0) yield new Uint8Array(padding);
        for (let from = 0; from < data.length; from += pieceElements)
          yield toBytes({ dtype, data: data.subarray(from, from + pieceElements) });
        written += padding + storedBytes({ dtype, data });
      }
    },
  };
}

const aligned = (offset: number): number => Math.ceil(offset / alignment) * alignment;
