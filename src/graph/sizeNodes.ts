/** Writes nodes that compute sizes from the shapes of a graph's inputs, and arrays of such sizes. */
import { invariant } from "../errors.ts";
import type { Attrs, Node, Value } from "./graph.ts";
import { formatSize, type SizeExpression } from "./sizeExpression.ts";
import { allocate, type DType, numel } from "./tensor.ts";

/** A size in the trace at hand, and what it is in general; null: always that. */
export interface Size {
  readonly now: number;
  readonly expression: SizeExpression | null;
}

export const fixed = (now: number): Size => ({ now, expression: null });

/** As a file has it. */
export const dimOf = ({ now, expression }: Size): number | string =>
  expression === null ? now : formatSize(expression);

/** Where a named size can be read: an axis of an input. */
export interface SizeSource {
  readonly value: Value;
  readonly axis: number;
}

export interface SizeNodes {
  /** What was written. They read only inputs: they belong before all other nodes. */
  readonly nodes: readonly Node[];
  /** Sizes of the values that they make. */
  readonly dims: ReadonlyMap<Value, readonly (number | string)[]>;
  /** int64[n] */
  shape(sizes: readonly Size[]): Value;
  /** int64 of rank 0. */
  scalar(size: Size): Value;
  constant(dtype: DType, shape: readonly number[], numbers: readonly number[]): Value;
  number(dtype: DType, value: number): Value;
  cast(value: Value, dtype: DType, sizes: readonly Size[]): Value;
  /** `value` at every place. */
  filled(value: Value, sizes: readonly Size[]): Value;
  /** start + Σ steps[axis] · index[axis] */
  counting(start: Size, steps: readonly number[], dtype: DType, sizes: readonly Size[]): Value;
  /** `inside` where column − row ≤ diagonal (of the last two axes), else `outside`. */
  triangular(at: TriangularAt, dtype: DType, sizes: readonly Size[]): Value;
  write(op: string, inputs: readonly Value[], dtype: DType, sizes: readonly Size[]): Value;
}

export interface TriangularAt {
  readonly diagonal: Size;
  readonly inside: number;
  readonly outside: number;
}

/** Equal sizes are computed once. */
export function createSizeNodes(sources: ReadonlyMap<string, SizeSource>): SizeNodes {
  const nodes: Node[] = [];
  const dims = new Map<Value, readonly (number | string)[]>();
  const known = new Map<string, Value>();
  // Ids of other values count from one, those of copies in a file from minus one.
  let nextId = -1_000_000;

  function create(given: Pick<Value, "role" | "dtype" | "data" | "name">, sizes: readonly Size[]) {
    const shape = sizes.map((size) => size.now);
    const value: Value = { ...given, id: nextId--, shape, requiresGrad: false };
    dims.set(value, sizes.map(dimOf));
    return value;
  }

  function write(
    op: string,
    inputs: readonly Value[],
    dtype: DType,
    sizes: readonly Size[],
    attrs: Attrs = {},
    name: string | null = null,
  ): Value {
    const value = create({ role: "node", dtype, data: null, name }, sizes);
    const origin = { direction: "forward", call: null, group: null } as const;
    nodes.push({ op, inputs, outputs: [value], attrs, origin });
    return value;
  }

  const once = (key: string, make: () => Value): Value => {
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
  };

  const constant: SizeNodes["constant"] = (dtype, shape, numbers) =>
    once(`${dtype}[${shape.join()}] ${numbers.join()}`, () => {
      const data = allocate(dtype, numel(shape));
      data.set(numbers);
      return create({ role: "constant", dtype, data, name: null }, shape.map(fixed));
    });

  const number = (dtype: DType, value: number): Value => constant(dtype, [], [value]);

  /** int64[1] */
  function vector(size: Size): Value {
    const { now, expression } = size;
    if (expression === null) return constant("int64", [1], [now]);
    const { factors, multiply, divide, add } = expression;
    const [first = "", ...others] = factors;
    const steps: (readonly [op: string, right: Value])[] = [
      ...others.map((factor) => ["Mul", named(factor)] as const),
      ...(multiply === 1 ? [] : [["Mul", vector(fixed(multiply))] as const]),
      ...(divide === 1 ? [] : [["Div", vector(fixed(divide))] as const]),
      ...(add === 0 ? [] : [["Add", vector(fixed(add))] as const]),
    ];
    const text = formatSize(expression);
    return once(text, () =>
      steps.reduce<Value>(
        (left, [op, right], at) =>
          write(op, [left, right], "int64", [fixed(1)], {}, at === steps.length - 1 ? text : null),
        named(first),
      ),
    );
  }

  const named = (name: string): Value =>
    once(name, () => {
      const source = sources.get(name);
      invariant(source, `no input has the size '${name}'`);
      const attrs = { start: source.axis, end: source.axis + 1 };
      return write("Shape", [source.value], "int64", [fixed(1)], attrs, name);
    });

  function shape(sizes: readonly Size[]): Value {
    const [first] = sizes;
    if (sizes.length === 1 && first !== undefined) return vector(first);
    const text = `[${sizes.map(dimOf).join(", ")}]`;
    return once(text, () =>
      write("Concat", sizes.map(vector), "int64", [fixed(sizes.length)], { axis: 0 }, text),
    );
  }

  const scalar = (size: Size): Value =>
    size.expression === null
      ? number("int64", size.now)
      : once(`scalar ${dimOf(size)}`, () => write("Squeeze", [vector(size)], "int64", []));

  const cast = (value: Value, dtype: DType, sizes: readonly Size[]): Value =>
    value.dtype === dtype ? value : write("Cast", [value], dtype, sizes, { to: dtype });

  /** 0, 1, … along `axis`; int64, of size 1 along the other axes. */
  function positions(sizes: readonly Size[], axis: number): Value {
    const along = sizes[axis] ?? fixed(1);
    return once(`positions ${dimOf(along)} ${axis} of ${sizes.length}`, () => {
      const inputs = [number("int64", 0), scalar(along), number("int64", 1)];
      const range = write("Range", inputs, "int64", [along]);
      const others = sizes.flatMap((_, at) => (at === axis ? [] : [at]));
      if (others.length === 0) return range;
      const axes = constant("int64", [others.length], others);
      return write("Unsqueeze", [range, axes], "int64", onlyAlong(sizes, [axis]));
    });
  }

  function counting(
    start: Size,
    steps: readonly number[],
    dtype: DType,
    sizes: readonly Size[],
  ): Value {
    const startsAtZero = start.expression === null && start.now === 0;
    let sum = startsAtZero ? null : scalar(start);
    const done: number[] = [];
    for (const [axis, step] of steps.entries()) {
      if (step === 0) continue;
      done.push(axis);
      const at = positions(sizes, axis);
      const own = onlyAlong(sizes, [axis]);
      const scaled = step === 1 ? at : write("Mul", [at, number("int64", step)], "int64", own);
      const both = onlyAlong(sizes, done);
      sum = sum === null ? scaled : write("Add", [scaled, sum], "int64", both);
    }
    invariant(sum, "an array that counts has a step");
    // An axis without a step has size 1 or repeats what the others give.
    const counted = cast(sum, dtype, onlyAlong(sizes, done));
    return done.length === sizes.filter((size) => size.now !== 1).length
      ? counted
      : filled(counted, sizes);
  }

  function triangular(
    { diagonal, inside, outside }: TriangularAt,
    dtype: DType,
    sizes: readonly Size[],
  ): Value {
    const rank = sizes.length;
    const [row, column] = [positions(sizes, rank - 2), positions(sizes, rank - 1)];
    const offset = write("Sub", [column, row], "int64", sizes);
    const isInside = write("LessOrEqual", [offset, scalar(diagonal)], "bool", sizes);
    const inputs = [isInside, number(dtype, inside), number(dtype, outside)];
    if (dtype !== "bool") return write("Where", inputs, dtype, sizes);
    return inside === 1 ? isInside : write("Not", [isInside], "bool", sizes);
  }

  const filled = (value: Value, sizes: readonly Size[]): Value =>
    write("Expand", [value, shape(sizes)], value.dtype, sizes);

  return {
    nodes,
    dims,
    shape,
    scalar,
    constant,
    number,
    cast,
    filled,
    counting,
    triangular,
    write,
  };
}

const onlyAlong = (sizes: readonly Size[], axes: readonly number[]): Size[] =>
  sizes.map((size, axis) => (axes.includes(axis) ? size : fixed(1)));
