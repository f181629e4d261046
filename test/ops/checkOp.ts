/** A case as a graph, its numbers, its gradients, and differences to compare them with. */
import { addGradients } from "../../src/autodiff/addGradients.ts";
import { invariant } from "../../src/errors.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import { allocate, type DType, type HostArray, isFloat } from "../../src/graph/tensor.ts";
import { createEmitter } from "../../src/ops/emitter.ts";
import { roundTo } from "../../src/ops/kernels/round.ts";
import { opNamed } from "../../src/ops/registry.ts";
import { createDraw, type OpCase } from "./opCase.ts";

export interface BuiltCase {
  readonly graph: Graph;
  readonly outputs: readonly Value[];
  /** The inputs that are differentiated. */
  readonly sources: readonly Value[];
  /** The loss and the gradients of `sources`. */
  readonly results: readonly Value[];
}

/** The loss is the sum of the float outputs' elements, each times a fixed weight. */
export function buildCase(
  op: string,
  given: OpCase,
  dtype: "float64" | "float32" | "bfloat16" | "float16",
): BuiltCase {
  const emit = createEmitter({ mayFold: () => false });
  const def = opNamed(op);
  invariant(def, `${op} is defined`);
  const inputs = given.inputs.map((array, at) => {
    if (array === null) return null;
    const typed = array.dtype === "float64" ? convert(array, dtype) : array;
    const isSource = array.dtype === "float64" && !given.constant?.includes(at);
    if (!isSource && !given.fed?.includes(at)) return emit.constant(typed);
    const role = isSource ? ("parameter" as const) : ("input" as const);
    return emit.input(typed, { role, name: null, requiresGrad: isSource, data: typed.data });
  });
  const attrs = given.attrs?.["to"] === "float64" ? { ...given.attrs, to: dtype } : given.attrs;
  const outputs = emit.ops(op, inputs, attrs, given.outputs ?? 1);
  const sources = inputs.filter((value) => value?.requiresGrad) as Value[];
  const graph: Graph = {
    inputs: inputs.filter((value) => value !== null && value.role !== "constant") as Value[],
    nodes: emit.nodes,
    outputs,
  };
  const isDifferentiable = outputs.some((value) => value.requiresGrad);
  const hasRules = sources.every((source) => {
    const place = inputs.indexOf(source);
    const name = def.inputs[place] ?? def.inputs.at(-1) ?? "";
    return def.grad[name.replace(/[?*]$/, "")] !== "none";
  });
  if (!isDifferentiable || !hasRules) return { graph, outputs, sources, results: [] };

  const draw = createDraw(7);
  const terms = outputs.slice(0, given.inLoss).flatMap((output, k) => {
    if (!isFloat(output.dtype)) return [];
    const exact = k === 0 ? given.exact : undefined;
    const weights = exact
      ? {
          ...output,
          data: Float64Array.from(
            { length: draw(output.shape).data.length },
            (_, i) => exact.dOutput?.[i] ?? 1,
          ),
        }
      : draw(output.shape);
    const weight = emit.constant(convert({ ...weights, dtype: "float64" }, output.dtype));
    return [emit.op("ReduceSum", [emit.op("Mul", [output, weight])], { keepdims: 0 })];
  });
  const loss = terms.slice(1).reduce((sum, term) => emit.op("Add", [sum, term]), terms[0] as Value);
  const forward = { ...graph, nodes: [...emit.nodes] };
  const added = addGradients(forward, loss, emit);
  const gradients = sources.map((source) => {
    const gradient = added.gradientOf(source);
    invariant(gradient, `${op} gives a gradient`);
    return gradient;
  });
  return { graph: added.graph, outputs, sources, results: [loss, ...gradients] };
}

export function convert({ shape, data }: HostArray, dtype: DType): HostArray {
  const converted = allocate(dtype, data.length);
  converted.set(data);
  roundTo(dtype, converted);
  return { dtype, shape, data: converted };
}

/**
 * dLoss/dx by differences, element by element; `lossOf` runs the graph with one source replaced.
 */
export async function differences(
  source: Value,
  lossOf: (source: Value, data: Float64Array) => Promise<number>,
): Promise<Float64Array> {
  invariant(source.data, "a source has numbers");
  const at = Float64Array.from(source.data);
  const result = new Float64Array(at.length);
  for (let i = 0; i < at.length; i++) {
    const x = at[i] as number;
    const step = 1e-5 * Math.max(1, Math.abs(x));
    const above = await lossOf(source, at.with(i, x + step));
    const below = await lossOf(source, at.with(i, x - step));
    result[i] = (above - below) / (x + step - (x - step));
  }
  return result;
}
