/** Sums along rows of a product of two values that were turned alike. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { isIdentity, keepsLast, turned, usesOf, written } from "./rewriting.ts";

/** Σ T(a) · T(b) over the last axis is T(Σ a · b), which turns one number a row. */
export function fuseRowSums(emit: Emitter, graph: Graph): Graph {
  const uses = usesOf(graph);
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    const [product, axes] = node.inputs;
    const maker = uses.makerOf(product);
    if (node.op !== "ReduceSum" || !product || maker?.op !== "Mul") return [node];
    const isLast = axes?.data?.length === 1 && at(axes, product) === product.shape.length - 1;
    if (!isLast || node.attrs["keepdims"] === 0 || uses.onlyUserOf(product) !== node) return [node];
    const [a, b] = maker.inputs.map((value) => turned(uses.makerOf(value)));
    if (!a || !b || !sameShape(a.perm, b.perm)) return [node];
    if (!keepsLast(a.perm) || isIdentity(a.perm)) return [node];
    let sums: Value = product;
    const before = written(emit, node.origin, () => {
      const products = emit.op("Mul", [a.source, b.source]);
      sums = emit.op("ReduceSum", [products, axes], node.attrs);
    });
    const turn: Node = { ...node, op: "Transpose", inputs: [sums], attrs: { perm: a.perm } };
    return [...before, turn];
  });
  return prune({ ...graph, nodes });
}

function at(axes: Value, { shape }: Value): number {
  const axis = axes.data?.[0] ?? 0;
  return axis < 0 ? axis + shape.length : axis;
}
