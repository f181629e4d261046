/** Values that consist of others, element by element: what is known of the parts is known of them. */
import type { Graph, Value } from "../graph/graph.ts";
import type { Moments } from "./moments.ts";
import type { SourceOf } from "./sources.ts";

/**
 * By value id, the values that stand for its parts: those that a Split cuts it into, or that a
 * Concat puts together.
 */
export function findWholes(graph: Graph, sourceOf: SourceOf): Map<number, readonly Value[]> {
  const wholes = new Map<number, readonly Value[]>();
  const add = (whole: Value | null | undefined, parts: readonly (Value | null)[]) => {
    const sources = parts.flatMap((part) => (part ? [sourceOf(part)] : []));
    const own = whole && sourceOf(whole);
    if (!own || [own, ...sources].some(({ times }) => times !== 1)) return;
    wholes.set(
      own.value.id,
      sources.map(({ value }) => value),
    );
  };
  for (const { op, inputs, outputs } of graph.nodes) {
    if (op === "Split") add(inputs[0], outputs);
    else if (op === "Concat") add(outputs[0], inputs);
  }
  return wholes;
}

/** The moments of all elements of the parts; at least one. */
export function combined(parts: readonly Moments[]): Moments {
  const finite = (part: Moments) => part.count - part.nan - part.posInf - part.negInf;
  const total = (of: (part: Moments) => number) => parts.reduce((sum, part) => sum + of(part), 0);
  const all = total(finite);
  const mean = all === 0 ? 0 : total((part) => finite(part) * part.mean) / all;
  return {
    count: total(({ count }) => count),
    nan: total(({ nan }) => nan),
    posInf: total(({ posInf }) => posInf),
    negInf: total(({ negInf }) => negInf),
    zeros: total(({ zeros }) => zeros),
    min: Math.min(...parts.map(({ min }) => min)),
    max: Math.max(...parts.map(({ max }) => max)),
    mean,
    deviations: total((part) => part.deviations + finite(part) * (part.mean - mean) ** 2),
  };
}
