/** Values that may cross between JavaScript realms and Python: copied, never shared. */
export type Plain =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | PlainArray
  | readonly Plain[]
  | { readonly [key: string]: Plain };

export type PlainArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

const arrays = {
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  BigInt64Array,
  Float32Array,
  Float64Array,
} as const;

/**
 * A deep copy made of the calling realm's own objects, so that no object of one realm is ever
 * reachable from the other. Throws TypeError for functions, symbols and other kinds of array.
 */
export function copyPlain(value: unknown): Plain {
  if (value === null || value === undefined) return null;
  if (typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`Plain values only: got a ${typeof value}`);
  }
  if (typeof value !== "object") return value as Plain;
  if (ArrayBuffer.isView(value)) return copyArray(value);
  const isList = Array.isArray(value);
  return isList ? copyList(value) : copyRecord(value as Record<string, unknown>);
}

function copyArray(value: ArrayBufferView): PlainArray {
  const name = (value as unknown as Record<symbol, string>)[Symbol.toStringTag] ?? "DataView";
  if (!Object.hasOwn(arrays, name)) throw new TypeError(`Plain arrays only: got a ${name}`);
  const OwnArray = arrays[name as keyof typeof arrays] as unknown as new (
    elements: ArrayLike<number>,
  ) => PlainArray;
  return new OwnArray(value as unknown as ArrayLike<number>);
}

function copyList(value: ArrayLike<unknown>): Plain[] {
  const copy: Plain[] = [];
  for (let i = 0; i < value.length; i++) copy.push(copyPlain(value[i]));
  return copy;
}

function copyRecord(value: Record<string, unknown>): { [key: string]: Plain } {
  const copy: { [key: string]: Plain } = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = copyPlain(value[key]);
  return copy;
}
