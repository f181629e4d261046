/** With which power of its scale a value follows from another: x² with 2, x / √(mean(x²)) with 0. */
import type { Node, Value } from "../graph/graph.ts";
import type { Normalised } from "./normalised.ts";
import type { Producers } from "./producers.ts";

/** Above it, a constant that is added is no eps, and the sum is no power. */
const largestEps = 1e-2;
const deepest = 40;

export interface Power {
  readonly power: number;
  /** The reduction over squares that is nearest to the value; null: none is on the way. */
  readonly squares: Node | null;
}

/** null: it is no power of the scale of `base` (an id of `found`), as far as its arithmetic is known. */
export function powerOf(
  value: Value,
  base: number,
  found: Normalised,
  { makerOf }: Producers,
): Power | null {
  return follow(value, deepest);

  function follow(at: Value, steps: number): Power | null {
    if (found.idOf(at) === base) return { power: 1, squares: null };
    if (found.isWeight(at) || at.data?.length === 1) return { power: 0, squares: null };
    const node = makerOf(at);
    return node === null || steps === 0 ? null : ofNode(node, steps - 1);
  }

  function ofNode(node: Node, steps: number): Power | null {
    const [a, b] = node.inputs;
    const first = a ? follow(a, steps) : null;
    if (!a || first === null) return null;
    const times = (factor: number): Power => ({ ...first, power: first.power * factor });
    if (same.has(node.op)) return first;
    if (averages.has(node.op))
      return { ...first, squares: first.power === 2 ? node : first.squares };
    if (node.op === "ReduceSumSquare") return { ...times(2), squares: node };
    if (node.op === "ReduceL2") return { ...first, squares: node };
    if (node.op === "Sqrt") return times(0.5);
    if (node.op === "Reciprocal") return times(-1);
    if (node.op === "Pow") return b?.data?.length === 1 ? times(Number(b.data[0])) : null;
    const second = b ? follow(b, steps) : null;
    if (!b || second === null) return null;
    const squares = first.squares ?? second.squares;
    if (node.op === "Mul") return { power: first.power + second.power, squares };
    if (node.op === "Div") return { power: first.power - second.power, squares };
    if (!sums.has(node.op)) return null;
    if (first.power === second.power) return { power: first.power, squares };
    if (isEps(b)) return first;
    return isEps(a) ? second : null;
  }
}

const same = new Set(["Neg", "Abs", "Identity", "Cast", "Expand", "ReduceL1"]);
const averages = new Set(["ReduceMean", "ReduceSum"]);
const sums = new Set(["Add", "Sub", "Max", "Clip"]);

const isEps = ({ data }: Value): boolean =>
  data?.length === 1 && Math.abs(Number(data[0])) <= largestEps;
