/** The cases that scripts/record-calls.py writes: a call, its arguments, and PyTorch's answer. */
import { allocate, type Numbers } from "../../src/graph/tensor.ts";
import { type Arg, dtypeNamed, ellipsis } from "../../src/trace/arguments.ts";
import type { Tensor } from "../../src/trace/tensor.ts";

export interface Case {
  readonly name: string;
  readonly args: readonly Encoded[];
  readonly kwargs: Readonly<Record<string, Encoded>>;
  /** The call edits its first argument: it gets clones. */
  readonly edits?: boolean;
  /** Relative, where it is not that of the type. */
  readonly tolerance?: number;
  readonly result?: Encoded;
  readonly gradients?: readonly (EncodedTensor | null)[];
  /** The tensors among the arguments, in order, where the call has changed one of them. */
  readonly after?: readonly (EncodedTensor | null)[];
  readonly error?: { readonly type: string; readonly text: string | null };
}

type EncodedNumber = number | "nan" | "inf" | "-inf";

export interface EncodedTensor {
  readonly tensor: string;
  readonly shape: readonly number[];
  readonly data: readonly EncodedNumber[];
  readonly grad?: boolean;
}

export type Encoded =
  | EncodedTensor
  | { readonly float: EncodedNumber }
  | { readonly complex: readonly [number, number] }
  | { readonly dtype: string }
  | { readonly slice: readonly [Encoded, Encoded, Encoded] }
  | { readonly ellipsis: true }
  | number
  | boolean
  | string
  | null
  | readonly Encoded[];

export const isEncodedTensor = (value: Encoded): value is EncodedTensor =>
  typeof value === "object" && value !== null && "tensor" in value;

export const numberOf = (value: EncodedNumber): number =>
  value === "nan"
    ? Number.NaN
    : value === "inf"
      ? Number.POSITIVE_INFINITY
      : value === "-inf"
        ? Number.NEGATIVE_INFINITY
        : value;

export function numbersOf({ tensor, data }: EncodedTensor): Numbers {
  const numbers = allocate(dtypeNamed(tensor).dtype, data.length);
  data.forEach((value, at) => {
    numbers[at] = numberOf(value);
  });
  return numbers;
}

/** An argument as a call takes it; `tensorOf` makes its tensors, in order. */
export function decode(value: Encoded, tensorOf: (encoded: EncodedTensor) => Tensor): Arg {
  const inner = (item: Encoded) => decode(item, tensorOf);
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number") return { kind: "int", value };
  if (typeof value === "boolean") return { kind: "bool", value: value ? 1 : 0 };
  if (Array.isArray(value)) return (value as readonly Encoded[]).map(inner);
  if (isEncodedTensor(value)) return tensorOf(value);
  if ("float" in value) return { kind: "float", value: numberOf(value.float) };
  if ("complex" in value)
    return { kind: "complex", value: value.complex[0], imaginary: value.complex[1] };
  if ("dtype" in value) return dtypeNamed(value.dtype);
  if ("slice" in value) {
    const [start, stop, stepSize] = value.slice as readonly [Encoded, Encoded, Encoded];
    return { start: inner(start), stop: inner(stop), stepSize: inner(stepSize) };
  }
  return ellipsis;
}
