/**
 * The largest of windows with NaN: the last NaN of a window is its largest, as in PyTorch, while ONNX
 * Runtime's kernels pass over NaN. A second pool looks for its place, only where the sum of all
 * elements says that there may be one.
 */
import type { Graph, Node, Value } from "../../graph/graph.ts";
import { allocate, numel } from "../../graph/tensor.ts";
import type { CreateValue } from "./exact.ts";

/** Places are told in single precision, which has all integers up to this one. */
const mostPlaces = 2 ** 24;

export function maxPoolOfNaN(node: Node, createValue: CreateValue): readonly Node[] | null {
  const [x] = node.inputs;
  if (node.op !== "MaxPool" || !x || (x.dtype !== "float32" && x.dtype !== "float64")) return null;
  if (numel(x.shape.slice(2)) > mostPlaces) return null;
  const sum = createValue(x, { shape: [] });
  const isLost = createValue(sum, { dtype: "bool" });
  return [
    { ...node, op: "ReduceSum", outputs: [sum], attrs: { keepdims: 0 } },
    { ...node, op: "IsNaN", inputs: [sum], outputs: [isLost], attrs: {} },
    {
      ...node,
      op: "If",
      inputs: [isLost],
      attrs: {
        then_branch: withLastNaN(node, x, createValue),
        else_branch: plainPool(node, createValue),
      },
    },
  ];
}

function plainPool(node: Node, createValue: CreateValue): Graph {
  const outputs = node.outputs.map((output) => createValue(output));
  return { inputs: [], nodes: [{ ...node, outputs }], outputs };
}

/** The pool, with the last NaN of each window that has one in place of the largest number. */
function withLastNaN(node: Node, x: Value, createValue: CreateValue): Graph {
  const pool = plainPool(node, createValue);
  const nodes = [...pool.nodes];
  const write = (op: string, inputs: readonly Value[], like: Value, attrs: Node["attrs"] = {}) => {
    const made = createValue(like);
    nodes.push({ ...node, op, inputs, outputs: [made], attrs });
    return made;
  };
  const floats = { ...x, dtype: "float32", requiresGrad: false } as const;
  const number = (value: number, like: Value) => {
    const data = allocate(like.dtype, 1).fill(value as never) as Value["data"];
    return createValue(like, { role: "constant", shape: [], data });
  };
  const sizes = x.shape.slice(2);
  const area = numel(sizes);
  const range = createValue(floats, {
    role: "constant",
    shape: [1, 1, ...sizes],
    data: Float32Array.from({ length: area }, (_, place) => place),
  });
  const [y, places] = pool.outputs as [Value, Value?];
  const truths = { ...floats, dtype: "bool" } as const;
  const picks = write("IsNaN", [x], truths);
  const marked = write("Where", [picks, range, number(-1, floats)], floats);
  const last = write("MaxPool", [marked], { ...floats, shape: y.shape }, node.attrs);
  const isFound = write("Greater", [last, number(-0.5, floats)], { ...truths, shape: y.shape });
  const outputs = [write("Where", [isFound, number(Number.NaN, x), y], y)];
  if (places) {
    const within = write("Cast", [last], places, { to: places.dtype });
    const counts = x.shape.slice(0, 2);
    const starts = createValue(places, {
      role: "constant",
      shape: [...counts, ...sizes.map(() => 1)],
      data: startsOf(numel(counts), area),
    });
    outputs.push(write("Where", [isFound, write("Add", [within, starts], places), places], places));
  }
  return { inputs: [], nodes, outputs };
}

/** Where each of `count` images of `area` elements begins. */
function startsOf(count: number, area: number): Value["data"] {
  const data = allocate("int64", count);
  for (let at = 0; at < count; at++) data[at] = at * area;
  return data;
}
