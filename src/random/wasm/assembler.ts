/**
 * A small WebAssembly assembler: functions are written as nested TypeScript expressions and come
 * out as the bytes of a module. Opcodes are those of the WebAssembly 2.0 specification, chapter 5.
 */

/**
 * Encoded instructions that leave at most one value on WebAssembly's stack: bytes, in lists within
 * lists, so that an expression used within another is not copied.
 */
export type Code = readonly (number | Code)[];

export type ValueType = "i32" | "f32" | "v128";

const typeByte: Readonly<Record<ValueType, number>> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

const simdPrefix = 0xfd;

/** LEB128, the variable-length integers of the format. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  while (rest < -64 || rest > 63) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return [...bytes, rest & 0x7f];
}

function flat(code: Code, into: number[] = []): number[] {
  for (const part of code)
    if (typeof part === "number") into.push(part);
    else flat(part, into);
  return into;
}

function sized(code: Code): Code {
  const bytes = flat(code);
  return [...unsigned(bytes.length), bytes];
}

const list = (items: readonly Code[]): Code => [...unsigned(items.length), ...items];

const name = (text: string): Code => sized([...new TextEncoder().encode(text)]);

const operation =
  (opcode: number) =>
  (...operands: readonly Code[]): Code => [...operands, opcode];

const simd =
  (opcode: number) =>
  (...operands: readonly Code[]): Code => [...operands, simdPrefix, ...unsigned(opcode)];

const bytesOf = (view: ArrayBufferView): number[] => [...new Uint8Array(view.buffer)];

const constant = (bytes: readonly number[]): Code => [simdPrefix, ...unsigned(0x0c), ...bytes];

const fourTimes = <T>(value: T): T[] => [value, value, value, value];

export const i32 = {
  const: (value: number): Code => [0x41, ...signed(value)],
  add: operation(0x6a),
  sub: operation(0x6b),
};

/** Offsets are in bytes; accesses need no alignment. */
export const v128 = {
  load: (address: Code, offset = 0): Code => [address, simdPrefix, 0x00, 0, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    address,
    value,
    simdPrefix,
    0x0b,
    0,
    ...unsigned(offset),
  ],
  not: simd(0x4d),
  and: simd(0x4e),
  /** a and not b */
  andnot: simd(0x4f),
  or: simd(0x50),
  xor: simd(0x51),
  /** Bits of the first operand where the third has ones, else of the second. */
  bitselect: simd(0x52),
  /** Sixteen lane numbers, bytes 0–15 of the first operand, 16–31 of the second. */
  shuffle: (lanes: readonly number[], a: Code, b: Code): Code => [a, b, simdPrefix, 0x0d, ...lanes],
};

export const i32x4 = {
  const: (value: number): Code => constant(bytesOf(Int32Array.from(fourTimes(value)))),
  eq: simd(0x37),
  neg: simd(0xa1),
  shl: simd(0xab),
  shrUnsigned: simd(0xad),
  add: simd(0xae),
  sub: simd(0xb1),
  truncate: simd(0xf8),
};

export const f32x4 = {
  const: (value: number): Code => constant(bytesOf(Float32Array.from(fourTimes(value)))),
  splat: simd(0x13),
  eq: simd(0x41),
  lt: simd(0x43),
  sqrt: simd(0xe3),
  add: simd(0xe4),
  sub: simd(0xe5),
  mul: simd(0xe6),
  /** b < a ? b : a, and a < b ? b : a. */
  pmin: simd(0xea),
  pmax: simd(0xeb),
  convert: simd(0xfa),
  /** The two lanes of a f64x2, rounded, in the lower half. */
  demote: simd(0x5e),
};

export const i64x2 = {
  const: (value: bigint): Code => constant(bytesOf(BigInt64Array.of(value, value))),
  add: simd(0xce),
  eq: simd(0xd6),
};

export const f64x2 = {
  const: (value: number): Code => constant(bytesOf(Float64Array.of(value, value))),
  ne: simd(0x48),
  lt: simd(0x49),
  add: simd(0xf0),
  sub: simd(0xf1),
  mul: simd(0xf2),
  /** The lower two lanes of a f32x4. */
  promote: simd(0x5f),
};

export interface Variable {
  readonly get: Code;
  readonly set: (value: Code) => void;
}

/** The function under construction: each method appends a statement. */
export interface Body {
  readonly run: (statement: Code) => void;
  readonly variable: (type: ValueType, initial: Code) => Variable;
  /** Evaluates now, once; the returned code reads the result. */
  readonly keep: (value: Code) => Code;
  /** Runs `body`, and again while the condition that it returns is not zero. */
  readonly loop: (body: () => Code) => void;
}

export interface FunctionSource {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  /** Receives the code that reads each parameter. */
  readonly body: (f: Body, ...parameters: Code[]) => void;
}

function encodeBody({ parameters, body }: FunctionSource): Code {
  const locals: ValueType[] = [];
  let code: Code[] = [];
  const read = (index: number): Code => [0x20, ...unsigned(index)];
  const run = (statement: Code): void => {
    code.push(statement);
  };
  const variable = (type: ValueType, initial: Code): Variable => {
    const index = parameters.length + locals.push(type) - 1;
    const set = (value: Code): void => run([value, 0x21, ...unsigned(index)]);
    set(initial);
    return { get: read(index), set };
  };
  const loop = (inner: () => Code): void => {
    const before = code;
    code = [];
    const condition = inner();
    code = [...before, [0x03, 0x40, code, condition, 0x0d, 0x00, 0x0b]];
  };
  const keep = (value: Code): Code => variable("v128", value).get;
  body({ run, variable, keep, loop }, ...parameters.map((_, index) => read(index)));
  const declared = locals.map((type) => [1, typeByte[type]]);
  return sized([list(declared), code, 0x0b]);
}

/** A module of functions without result, and a memory of `pages` × 64 KiB, named `memory`. */
export function assemble(
  pages: number,
  functions: readonly FunctionSource[],
): Uint8Array<ArrayBuffer> {
  const section = (id: number, content: Code): Code => [id, sized(content)];
  const signature = (source: FunctionSource): Code => [
    0x60,
    list(source.parameters.map((type) => [typeByte[type]])),
    0,
  ];
  const exported = functions.map((source, index) => [name(source.name), 0x00, index]);
  const sections = [
    section(1, list(functions.map(signature))),
    section(3, list(functions.map((_, index) => [index]))),
    section(5, list([[0x00, ...unsigned(pages)]])),
    section(7, list([[name("memory"), 0x02, 0], ...exported])),
    section(10, list(functions.map(encodeBody))),
  ];
  return Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, ...flat(sections)]);
}
