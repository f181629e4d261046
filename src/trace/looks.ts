/** Computed numbers that Python, or a call that wants a plain number, looks at while the graph is written. */
import type { Site } from "../graph/graph.ts";
import { isFloat, type Numbers } from "../graph/tensor.ts";
import type { Scalar } from "./arguments.ts";
import { isComplexType, typeOf } from "./promotion.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";

/** Row-major. `place` is where they decide what is done next; null: they decide nothing. */
export function numbersSeen(session: Session, tensor: Tensor, place: Site | null): Numbers {
  const { store, looks, branches } = session;
  const isComputed = store.inStep && !store.isKnown(tensor);
  const numbers = store.numbers(tensor);
  if (place === null) return numbers;
  if (store.inStep && changes(session, tensor)) looks.push(place);
  if (isComputed) {
    const value =
      numbers.length === 1 ? textOf(tensor, numbers[0] as number) : `[${numbers.length}]`;
    branches.push({ file: place.file, line: place.line, value, taken: value });
  }
  return numbers;
}

/** The number of a tensor without axes and without a gradient; null for another tensor. */
export function numberSeen(session: Session, tensor: Tensor): Scalar | null {
  const type = typeOf(tensor);
  if (tensor.shape.length > 0 || isComplexType(type)) return null;
  if (isFloat(tensor.dtype) && session.store.read(tensor).requiresGrad) return null;
  const place = session.running?.site ?? null;
  const value = numbersSeen(session, tensor, place)[0] as number;
  return { kind: type === "bool" ? "bool" : isFloat(tensor.dtype) ? "float" : "int", value };
}

/** Row-major; of each axis longer than `longest` the half of it at either end. */
export function endsOfAxes(numbers: Numbers, shape: readonly number[], longest: number): Numbers {
  if (shape.every((size) => size <= longest)) return numbers;
  const half = Math.floor(longest / 2);
  let at = [0];
  for (const size of shape) {
    const kept =
      size <= longest ? range(0, size) : [...range(0, half), ...range(size - half, size)];
    at = at.flatMap((row) => kept.map((i) => row * size + i));
  }
  return Float64Array.from(at, (i) => numbers[i] as number);
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

/** Whether another step has other numbers in it. */
function changes({ store }: Session, tensor: Tensor): boolean {
  const { value, root } = tensor.storage;
  return value === null ? root.entersAs !== null : !store.isKnown(tensor);
}

function textOf(tensor: Tensor, x: number): string {
  if (tensor.dtype === "bool") return x ? "True" : "False";
  return isFloat(tensor.dtype) ? String(Number(x.toPrecision(6))) : String(x);
}

/** String(−0) has lost its sign. */
export const listed = (numbers: Iterable<number | bigint>): string =>
  Array.from(numbers, (x) => (Object.is(x, -0) ? "-0" : String(x))).join(",");
