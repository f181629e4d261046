/** Sizes as functions of named sizes: how two traces of one program say which sizes are free. */

/** `multiply` · the product of `factors` / `divide` + `add`. */
export interface SizeExpression {
  /** Names of sizes, each at most once. */
  readonly factors: readonly string[];
  readonly multiply: number;
  readonly divide: number;
  readonly add: number;
}

export interface Sizes {
  readonly [name: string]: number;
}

/**
 * The simplest expression that is `a` under the sizes `first` and `b` under `second`: a size, a
 * multiple or fraction of a product of sizes, or a multiple and an offset. null: there is none.
 */
export function findSize(a: number, b: number, first: Sizes, second: Sizes): SizeExpression | null {
  const found: SizeExpression[] = [];
  for (const factors of subsets(Object.keys(first))) {
    const [inA, inB] = [product(factors, first), product(factors, second)];
    if (inA === inB) continue;
    if (a * inB === b * inA) {
      const divisor = greatestCommonDivisor(a, inA);
      found.push({ factors, multiply: a / divisor, divide: inA / divisor, add: 0 });
      continue;
    }
    const multiply = (b - a) / (inB - inA);
    if (multiply > 0 && Number.isInteger(multiply))
      found.push({ factors, multiply, divide: 1, add: a - multiply * inA });
  }
  const [simplest] = found.sort(
    (x, y) => complexity(x) - complexity(y) || magnitude(x) - magnitude(y),
  );
  return simplest ?? null;
}

const complexity = ({ factors, multiply, divide, add }: SizeExpression): number =>
  factors.length + (multiply === 1 ? 0 : 1) + (divide === 1 ? 0 : 2) + (add === 0 ? 0 : 2);

const magnitude = ({ multiply, divide, add }: SizeExpression): number =>
  Math.abs(multiply) + divide + Math.abs(add);

/** `seq`, `batch*seq`, `2*seq`, `seq/2`, `seq - 1`: what stands in a file as a dimension's name. */
export function formatSize({ factors, multiply, divide, add }: SizeExpression): string {
  const scaled = [...(multiply === 1 ? [] : [String(multiply)]), ...factors].join("*");
  const divided = divide === 1 ? scaled : `${scaled}/${divide}`;
  if (add === 0) return divided;
  return `${divided} ${add > 0 ? "+" : "-"} ${Math.abs(add)}`;
}

/** The number that a dimension's name, as `formatSize` writes it, means; null: a size is unknown. */
export function evaluateSize(text: string, sizes: Sizes): number | null {
  if (Object.hasOwn(sizes, text)) return sizes[text] ?? null;
  const parts = /^([^/ ]+)(?:\/(\d+))?(?: ([+-]) (\d+))?$/.exec(text);
  if (parts === null) return null;
  const [, scaled = "", divide = "1", sign = "+", add = "0"] = parts;
  let total = 1;
  for (const factor of scaled.split("*")) {
    const size = /^-?\d+$/.test(factor) ? Number(factor) : sizes[factor];
    if (size === undefined) return null;
    total *= size;
  }
  return total / Number(divide) + (sign === "-" ? -1 : 1) * Number(add);
}

const product = (factors: readonly string[], sizes: Sizes): number =>
  factors.reduce((total, name) => total * (sizes[name] ?? Number.NaN), 1);

/** All but the empty one. */
function subsets(names: readonly string[]): string[][] {
  const sets: string[][] = [[]];
  for (const name of names) sets.push(...sets.map((set) => [...set, name]));
  return sets.slice(1);
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [Math.abs(a), Math.abs(b)];
  while (small !== 0) [large, small] = [small, large % small];
  return large;
}
