/**
 * Small values are put side by side and measured together: a node and an output cost the same for
 * ten elements as for ten thousand.
 */
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";

export interface Placed {
  readonly value: Value;
  /** Position on the first axis of the joined tensor. */
  readonly from: number;
  readonly to: number;
}

export interface Shelves {
  /** Joins `value` with others of the same `key`, element type and shape behind the first axis. */
  put(emit: Emitter, key: string, value: Value): void;
  /** Joins what still waits. */
  flush(emit: Emitter): void;
}

/** `write` is called once for each full shelf. */
export function createShelves(
  limits: { readonly values: number; readonly elements: number },
  write: (emit: Emitter, key: string, joined: Value, placed: readonly Placed[]) => void,
): Shelves {
  const waiting = new Map<string, { readonly key: string; readonly values: Value[] }>();

  const join = (emit: Emitter, key: string, values: readonly Value[]) => {
    const [first] = values;
    if (first === undefined) return;
    const joined = values.length === 1 ? first : emit.op("Concat", values, { axis: 0 });
    let from = 0;
    const placed = values.map((value) => {
      const to = from + (value.shape[0] ?? 1);
      const place = { value, from, to };
      from = to;
      return place;
    });
    write(emit, key, joined, placed);
  };

  return {
    put(emit, key, value) {
      const kind = `${key} ${value.dtype}[${value.shape.slice(1)}]`;
      const shelf = waiting.get(kind) ?? { key, values: [] };
      waiting.set(kind, shelf);
      shelf.values.push(value);
      const elements = shelf.values.reduce((sum, { shape }) => sum + numel(shape), 0);
      if (shelf.values.length < limits.values && elements < limits.elements) return;
      waiting.delete(kind);
      join(emit, key, shelf.values);
    },
    flush(emit) {
      for (const { key, values } of waiting.values()) join(emit, key, values);
      waiting.clear();
    },
  };
}
