/** What a case of an operator says, and the arrays that cases are written with. */
import type { Attrs } from "../../src/graph/graph.ts";
import type { DType, HostArray } from "../../src/graph/tensor.ts";
import { allocate, numel } from "../../src/graph/tensor.ts";

export interface OpCase {
  /** The attribute form or the point that the case is about. */
  readonly name?: string;
  /** float64 inputs are differentiated; the others, and those of `constant`, are constants. */
  readonly inputs: readonly (HostArray | null)[];
  readonly attrs?: Attrs;
  /** How many outputs are asked for; default: 1. */
  readonly outputs?: number;
  /** How many outputs the loss uses; default: all. */
  readonly inLoss?: number;
  /** Places of float inputs that are constants. */
  readonly constant?: readonly number[];
  /** Places of inputs of other types that are fed. */
  readonly fed?: readonly number[];
  /** Why ONNX Runtime cannot compute the case or its gradient in float64: the host does. */
  readonly withoutFloat64?: string;
  /** Why ONNX Runtime's CPU provider cannot compute the case at all. */
  readonly withoutKernel?: string;
  /** PyTorch's gradients where differences mean nothing: ties, zeros, not finite. */
  readonly exact?: {
    /** The gradient of the first output; default: ones. */
    readonly dOutput?: readonly number[];
    /** Of each input. */
    readonly gradients: readonly (readonly number[] | null)[];
  };
}

/** Random float64 numbers, the same at each run: `draw([2, 3])`, `draw([4], 0.5, 2)`. */
export function createDraw(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
  for (let warmUp = 0; warmUp < 8; warmUp++) next();
  return (shape: readonly number[], from = -2, to = 2): HostArray => ({
    dtype: "float64",
    shape,
    data: Float64Array.from({ length: numel(shape) }, () => from + (to - from) * next()),
  });
}

/** Numbers of a type; without a shape a vector. */
export function array(
  dtype: DType,
  numbers: readonly number[],
  shape: readonly number[] = [numbers.length],
): HostArray {
  const data = allocate(dtype, numbers.length);
  data.set(numbers);
  return { dtype, shape, data };
}

export const floats = (numbers: readonly number[], shape?: readonly number[]): HostArray =>
  array("float64", numbers, shape);

export const ints = (numbers: readonly number[], shape?: readonly number[]): HostArray =>
  array("int64", numbers, shape);

export const bools = (numbers: readonly number[], shape?: readonly number[]): HostArray =>
  array("bool", numbers, shape);

/** An input of rank 0. */
export const scalar = (dtype: DType, number: number): HostArray => array(dtype, [number], []);
