/** Arguments of a torch call as they cross from Python, and their binding to a call's parameters. */
import { torchError } from "../errors.ts";
import { type DType, isInteger } from "../graph/tensor.ts";
import type { MemoryFormat } from "./layout/strides.ts";
import type { Tensor } from "./tensor.ts";

export type Arg =
  | Tensor
  | Scalar
  | DTypeArg
  | SliceArg
  | string
  | null
  | typeof ellipsis
  | ObjectArg
  | readonly Arg[];

/** What no call takes: it is named where it is refused. */
export interface ObjectArg {
  readonly className: string;
}

/** A Python number; its kind decides about type promotion. */
export interface Scalar {
  readonly kind: "bool" | "int" | "float" | "complex";
  readonly value: number;
  readonly imaginary?: number;
}

/** A torch.dtype: complex64 is float32 with `isComplex`. */
export interface DTypeArg {
  readonly dtype: DType;
  readonly isComplex: boolean;
}

export interface SliceArg {
  readonly start: Arg;
  readonly stop: Arg;
  readonly stepSize: Arg;
}

export const ellipsis = Symbol("Ellipsis");

/** The sequences among arguments that are tuples in Python: messages tell them from lists. */
const tuples = new WeakSet<object>();
/** Those that are separate positional arguments. */
const spread = new WeakSet<object>();
const isVariadic = (items: readonly Arg[]): boolean => spread.has(items);

export const isTensor = (arg: unknown): arg is Tensor =>
  typeof arg === "object" && arg !== null && "storage" in arg;
/** The tensors of an argument, however deep in lists. */
export function tensorsIn(arg: unknown): Tensor[] {
  if (Array.isArray(arg)) return arg.flatMap(tensorsIn);
  return isTensor(arg) ? [arg] : [];
}
export const isScalar = (arg: unknown): arg is Scalar =>
  typeof arg === "object" && arg !== null && "kind" in arg && "value" in arg;
export const isDType = (arg: unknown): arg is DTypeArg =>
  typeof arg === "object" && arg !== null && "dtype" in arg && !("storage" in arg);
export const isSlice = (arg: unknown): arg is SliceArg =>
  typeof arg === "object" && arg !== null && "stepSize" in arg;

/** One parameter's type: turns what Python gave into what a call's `build` takes. */
export interface Param<T> {
  readonly describe: string;
  /** undefined: does not fit. */
  readonly accept: (arg: Arg) => T | undefined;
  readonly fallback?: { readonly value: T };
  /** Takes all remaining positional arguments where the first is a number (sizes, dims). */
  readonly variadic?: boolean;
  /** Takes all remaining positional arguments, whatever they are. */
  readonly rest?: boolean;
  /** Of a function that PyTorch writes in Python: NumPy's name does not stand for it. */
  readonly hasOneName?: boolean;
  /** Not to be given by position. */
  readonly keywordOnly?: boolean;
  /** Where it is given, all others but the tensor are keywords too. */
  readonly leavesKeywords?: boolean;
}

const param = <T>(describe: string, accept: (arg: Arg) => T | undefined): Param<T> => ({
  describe,
  accept,
});

const toInt = (arg: Arg): number | undefined => {
  if (isScalar(arg)) return arg.kind === "int" || arg.kind === "bool" ? arg.value : undefined;
  return undefined;
};

export const tensor = param<Tensor>("Tensor", (arg) => (isTensor(arg) ? arg : undefined));
export const int = param<number>("int", toInt);
export const float = param<number>("float", (arg) =>
  isScalar(arg) && arg.kind !== "complex" ? arg.value : undefined,
);
/** As `float`, under the name that some calls have for it. */
export const anyNumber: Param<number> = { ...float, describe: "Number" };
export const bool = param<boolean>("bool", (arg) =>
  isScalar(arg) && (arg.kind === "bool" || arg.kind === "int") ? arg.value !== 0 : undefined,
);
/** True or False alone: no number stands for it. */
export const truth = param<boolean>("bool", (arg) =>
  isScalar(arg) && arg.kind === "bool" ? arg.value !== 0 : undefined,
);
export const scalar = param<Scalar>("Number", (arg) => (isScalar(arg) ? arg : undefined));
export const operand = param<Tensor | Scalar>("Tensor or Number", (arg) =>
  isTensor(arg) || isScalar(arg) ? arg : undefined,
);
export const dtype = param<DTypeArg>("torch.dtype", (arg) => (isDType(arg) ? arg : undefined));
export const text = param<string>("str", (arg) => (typeof arg === "string" ? arg : undefined));
export const anything = param<Arg>("object", (arg) => arg);
export const tensors = param<readonly Tensor[]>("tuple of Tensors", (arg) =>
  Array.isArray(arg) && arg.every(isTensor) ? (arg as Tensor[]) : undefined,
);
/** One int or a sequence of ints. */
export const ints = param<readonly number[]>("tuple of ints", (arg) => {
  const one = toInt(arg);
  if (one !== undefined) return [one];
  if (!Array.isArray(arg)) return undefined;
  const all = arg.map(toInt);
  return all.every((n) => n !== undefined) ? (all as number[]) : undefined;
});
/** A sequence alone. */
export const intTuple: Param<readonly number[]> = {
  ...ints,
  accept: (arg) => (Array.isArray(arg) ? ints.accept(arg) : undefined),
};
/** Sizes or dims, also as separate positional arguments: view(2, 3), permute(0, 2, 1). */
export const sizes: Param<readonly number[]> = { ...ints, variadic: true };

export const optional = <T>(of: Param<T>): Param<T | null> => ({
  ...of,
  describe: of.describe,
  accept: (arg) => (arg === null ? null : of.accept(arg)),
  fallback: { value: null },
});

export const withDefault = <T>(of: Param<T>, value: T): Param<T> => ({
  ...of,
  fallback: { value },
});

export const oneName = <T>(of: Param<T>): Param<T> => ({ ...of, hasOneName: true });

export const keyword = <T>(of: Param<T>): Param<T> => ({ ...of, keywordOnly: true });

/** Of an overload of its own, in which the tensor alone has a place. */
export const keywordOfOwn = <T>(of: Param<T>): Param<T> => ({
  ...keyword(of),
  leavesKeywords: true,
});

const formats: readonly MemoryFormat[] = [
  "contiguous_format",
  "preserve_format",
  "channels_last",
  "channels_last_3d",
];
/** `memory_format=`; null: none was given. */
export const memoryFormat: Param<MemoryFormat | null> = keyword(
  optional(
    param<MemoryFormat>("torch.memory_format", (arg) =>
      formats.find((format) => arg === `torch.${format}`),
    ),
  ),
);

export const either = <A, B>(a: Param<A>, b: Param<B>): Param<A | B> =>
  param(`${a.describe} or ${b.describe}`, (arg) => a.accept(arg) ?? b.accept(arg));

export type Params = Readonly<Record<string, Param<unknown>>>;
export type Bound<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

/** Names under which PyTorch takes the same argument. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  input: ["self", "x"],
  other: ["x2", "tensor2"],
  dim: ["axis", "dims"],
  keepdim: ["keepdims"],
  tensors: ["seq"],
};

/** Keyword arguments that change nothing here: where a tensor lives, how it is laid out. */
const ignored = new Set([
  "device",
  "layout",
  "pin_memory",
  "non_blocking",
  "out_dtype_unused",
  "requires_grad",
]);

/** What a call was given; of a method the tensor itself comes first and is not counted in messages. */
export interface GivenArguments {
  readonly positional: readonly Arg[];
  readonly keywords: ReadonlyMap<string, Arg>;
  readonly isMethod?: boolean | undefined;
}

/**
 * `numberOf` reads a tensor of one number, which PyTorch takes where a plain number is meant; null for
 * any other tensor.
 */
export function bind<P extends Params>(
  name: string,
  params: P,
  { positional, keywords, isMethod = false }: GivenArguments,
  numberOf: (tensor: Tensor) => Scalar | null,
): Bound<P> {
  const plain = (arg: Arg): Arg => {
    if (isTensor(arg)) return numberOf(arg) ?? arg;
    return Array.isArray(arg) ? arg.map(plain) : arg;
  };
  const bound: Record<string, unknown> = {};
  const left = new Map(keywords);
  const missing: string[] = [];
  const self = isMethod ? 1 : 0;
  let at = 0;
  for (const [place, [key, spec]] of Object.entries(params).entries()) {
    const given = takeKeyword(left, key, spec.hasOneName ? [] : synonyms[key]);
    if (spec.leavesKeywords && given !== undefined && positional.length > 1)
      throw torchError(
        "TypeError",
        `${name}() takes from ${2 - self} to ${1 - self} positional arguments but ${positional.length - self} were given`,
      );
    let arg: Arg | undefined;
    if (given !== undefined) arg = given;
    else if (at < positional.length && !spec.keywordOnly) {
      arg = positional[at++] as Arg;
      if (spec.rest || (spec.variadic && (isScalar(arg) || isTensor(arg)))) {
        const rest = positional.slice(at);
        at = positional.length;
        arg = [arg, ...rest];
        spread.add(arg);
      }
    }
    if (arg === undefined) {
      if (spec.fallback) bound[key] = spec.fallback.value;
      else missing.push(key);
      continue;
    }
    const value = spec.accept(arg) ?? spec.accept(plain(arg));
    if (value === undefined)
      throw torchError("TypeError", misfit(name, key, place + 1 - self, spec, arg));
    bound[key] = value;
  }
  if (missing.length > 0) throw torchError("TypeError", lacking(name, missing));
  if (at < positional.length) {
    const most = Object.values(params).filter((spec) => !spec.keywordOnly).length - self;
    throw torchError(
      "TypeError",
      `${name}() takes ${most} positional argument${most === 1 ? "" : "s"} but ${positional.length - self} ${positional.length - self === 1 ? "was" : "were"} given`,
    );
  }
  for (const key of left.keys())
    if (!ignored.has(key))
      throw torchError("TypeError", `${name}() got an unexpected keyword argument '${key}'`);
  return bound as Bound<P>;
}

function takeKeyword(
  left: Map<string, Arg>,
  key: string,
  others: readonly string[] = [],
): Arg | undefined {
  for (const name of [key, ...others]) {
    const value = left.get(name);
    if (value !== undefined) {
      left.delete(name);
      return value;
    }
  }
  return undefined;
}

/** PyTorch has the plural the wrong way round. */
const lacking = (name: string, missing: readonly string[]): string =>
  `${name}() missing ${missing.length} required positional argument${missing.length === 1 ? "s" : ""}: ${missing.map((key) => `"${key}"`).join(", ")}`;

/** `at` counts from 1. Of a list PyTorch names the first item that does not fit. */
function misfit(name: string, key: string, at: number, spec: Param<unknown>, arg: Arg): string {
  const argument = `${name}(): argument '${key}'`;
  const items: readonly Arg[] = Array.isArray(arg) ? arg : [];
  if (spec.describe === tensors.describe && items.length > 0) {
    const odd = items.findIndex((item) => !isTensor(item));
    return `expected Tensor as element ${odd} in argument ${at - 1}, but got ${describeArg(items[odd] ?? null)}`;
  }
  if (spec.describe.startsWith(ints.describe) && items.length > 0) {
    const odd = items.findIndex((item) => toInt(item) === undefined && !isIntegerTensor(item));
    const found = describeArg(items[odd] ?? null);
    if (odd > 0)
      return `${argument} failed to unpack the object at pos ${odd + 1} with error "type must be tuple of ints,but got ${found}"`;
    if (odd === 0 && !isVariadic(items))
      return `${argument} (position ${at}) must be tuple of ints, but found element of type ${found} at pos 0`;
    if (odd === 0 && items.length > 1)
      return `${name}() takes 1 positional argument but ${items.length} were given`;
    if (odd === 0) return `${argument} (position ${at}) must be ${spec.describe}, not ${found}`;
  }
  return `${argument} (position ${at}) must be ${spec.describe}, not ${describeArg(arg)}`;
}

const isIntegerTensor = (arg: Arg): boolean => isTensor(arg) && isInteger(arg.dtype);

export function describeArg(arg: Arg): string {
  if (isTensor(arg)) return "Tensor";
  if (isScalar(arg)) return arg.kind;
  if (isDType(arg)) return "torch.dtype";
  if (isSlice(arg)) return "slice";
  if (arg === null) return "NoneType";
  if (arg === ellipsis) return "ellipsis";
  if (typeof arg === "string") return "str";
  if ("className" in arg) return arg.className;
  return tuples.has(arg) ? "tuple" : "list";
}

/**
 * Decodes one call: `signature` has a letter per item, `values` the plain values in order.
 * t tensor id · i int · f float · b bool · c complex (2) · s str · n None · d dtype name · e Ellipsis ·
 * z slice (3 items follow) · [ … ] list · ( … ] tuple · k keyword (its name, then its item) · o another
 * object (its class) · m, at the start, a method's call
 */
export function decodeArguments(
  signature: string,
  values: readonly unknown[],
  tensorOf: (id: number) => Tensor,
): { positional: Arg[]; keywords: Map<string, Arg>; isMethod: boolean } {
  const isMethod = signature.startsWith("m");
  let letter = isMethod ? 1 : 0;
  let value = 0;
  const next = (): Arg => {
    switch (signature[letter++]) {
      case "t":
        return tensorOf(values[value++] as number);
      case "i":
        return { kind: "int", value: Number(values[value++]) };
      case "f":
        return { kind: "float", value: values[value++] as number };
      case "b":
        return { kind: "bool", value: values[value++] ? 1 : 0 };
      case "c":
        return {
          kind: "complex",
          value: values[value++] as number,
          imaginary: values[value++] as number,
        };
      case "s":
        return values[value++] as string;
      case "d":
        return dtypeNamed(values[value++] as string);
      case "e":
        return ellipsis;
      case "z":
        return { start: next(), stop: next(), stepSize: next() };
      case "o":
        return { className: values[value++] as string };
      case "(":
      case "[": {
        const isTuple = signature[letter - 1] === "(";
        const items: Arg[] = [];
        while (signature[letter] !== "]") items.push(next());
        letter++;
        if (isTuple) tuples.add(items);
        return items;
      }
      default:
        return null;
    }
  };
  const positional: Arg[] = [];
  const keywords = new Map<string, Arg>();
  while (letter < signature.length) {
    if (signature[letter] === "k") {
      letter++;
      const name = values[value++] as string;
      keywords.set(name, next());
    } else positional.push(next());
  }
  return { positional, keywords, isMethod };
}

export function dtypeNamed(name: string): DTypeArg {
  if (name === "complex64") return { dtype: "float32", isComplex: true };
  if (name === "complex128") return { dtype: "float64", isComplex: true };
  return { dtype: name as DType, isComplex: false };
}

/** Whether −inf is among the arguments, or a tensor that it was put into. */
export const isMasked = (args: Readonly<Record<string, unknown>>): boolean =>
  Object.values(args).some(
    (arg) =>
      (isScalar(arg) && arg.value === Number.NEGATIVE_INFINITY) ||
      tensorsIn(arg).some((tensor) => tensor.masked),
  );
