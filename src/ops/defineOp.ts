/**
 * The form in which an ONNX operator is declared: types, gradient, cost, and numbers on the host.
 */
import type { Attrs, Emit, Value } from "../graph/graph.ts";
import type { HostArray, TensorType } from "../graph/tensor.ts";

/** `X` required, `X?` optional, `X*` variadic (always last). */
type NameOf<S extends string> = S extends `${infer N}?` ? N : S extends `${infer N}*` ? N : S;

/** Inputs or outputs by ONNX's own names. */
export type Named<S extends string> = {
  readonly [K in S as NameOf<K>]: K extends `${string}?`
    ? Value | null
    : K extends `${string}*`
      ? readonly Value[]
      : Value;
};

type TypesOf<S extends string> = {
  readonly [K in S as NameOf<K>]: K extends `${string}?`
    ? (TensorType & { readonly data?: Value["data"] }) | null
    : K extends `${string}*`
      ? readonly (TensorType & { readonly data?: Value["data"] })[]
      : TensorType & { readonly data?: Value["data"] };
};

type ArraysOf<S extends string> = {
  readonly [K in S as NameOf<K>]: K extends `${string}?`
    ? HostArray | null
    : K extends `${string}*`
      ? readonly HostArray[]
      : HostArray;
};

/**
 * The gradient of the loss with respect to one input. `at` has the inputs, `out` the outputs, `d`
 * the gradients of the outputs (zeros where the loss does not use one). The result may have the
 * broadcast shape: the walk sums it to the input's. "none": integer, mask, shape: no derivative.
 */
export type GradRule<N extends string, I extends string, O extends string, A> =
  | "none"
  | ((
      emit: Emit,
      at: Named<I>,
      out: Named<O>,
      d: Named<O>,
      attrs: A,
    ) => `${N}*` extends I ? readonly (Value | null)[] : Value);

export interface OpDef<
  I extends string = string,
  O extends string = string,
  A extends Attrs = Attrs,
> {
  /** ONNX's spelling. */
  readonly type: string;
  readonly inputs: readonly I[];
  readonly outputs: readonly O[];
  /** Attributes with ONNX's defaults; what has no default is absent here and checked by `infer`. */
  readonly attrs?: A;
  /**
   * Output types from input types; throws where ONNX or shapes do not fit. `data` is set on
   * constants.
   */
  infer(at: TypesOf<I>, attrs: A, outputs: number): readonly TensorType[];
  readonly grad: { readonly [N in NameOf<I>]: GradRule<N, I, O, A> };
  /** Floating-point operations; absent: one per output element. */
  flops?(at: TypesOf<I>, out: readonly TensorType[], attrs: A): number;
  /** The numbers, on the host, rounded to the output's type; absent: the runtime computes them. */
  evaluate?(at: ArraysOf<I>, attrs: A, out: readonly TensorType[]): readonly HostArray[];
}

export function defineOp<
  const I extends string,
  const O extends string,
  A extends Attrs = Record<string, never>,
>(def: OpDef<I, O, A>): OpDef<I, O, A> {
  return def;
}

/** An OpDef whose names the type system no longer knows: what the walk and the emitter use. */
export interface AnyOp {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attrs?: Attrs;
  readonly infer: (at: never, attrs: never, outputs: number) => readonly TensorType[];
  readonly grad: Readonly<Record<string, "none" | ((...args: never[]) => unknown)>>;
  readonly flops?: (at: never, out: readonly TensorType[], attrs: never) => number;
  readonly evaluate?: (at: never, attrs: never, out: readonly TensorType[]) => readonly HostArray[];
}

/** Inputs or outputs by ONNX's names, as `infer`, rules and `evaluate` take them. */
export function byName<T>(
  names: readonly string[],
  values: readonly (T | null)[],
): Record<string, T | null | readonly T[]> {
  const named: Record<string, T | null | readonly T[]> = {};
  names.forEach((name, at) => {
    if (name.endsWith("*")) named[name.slice(0, -1)] = values.slice(at) as readonly T[];
    else named[name.endsWith("?") ? name.slice(0, -1) : name] = values[at] ?? null;
  });
  return named;
}
