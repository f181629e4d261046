/** LayerNormalization whose normalised values the gradient needs without scale and bias. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import type { Emitter } from "../ops/emitter.ts";
import { made, type Uses, usesOf } from "./rewriting.ts";

/** X̂ is kept from the forward pass: scale and bias on it take less than normalising once more. */
export function fuseNorms(emit: Emitter, graph: Graph): Graph {
  const uses = usesOf(graph);
  const dropped = new Set<Node>();
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    if (dropped.has(node)) return [];
    const again = plainTwin(node, uses);
    const [x = null, scale = null, bias = null] = node.inputs;
    const [y, ...moments] = node.outputs;
    const [normal] = again?.outputs ?? [];
    if (!again || !y || !normal || !scale) return [node];
    dropped.add(again);
    const times = (to: Value): Node => ({
      ...node,
      op: "Mul",
      inputs: [normal, scale],
      outputs: [to],
      attrs: {},
    });
    const normalised = {
      ...node,
      inputs: [x, again.inputs[1] ?? null],
      outputs: [normal, ...moments],
    };
    if (bias === null) return [normalised, times(y)];
    const product = made(emit, y);
    const plus: Node = { ...node, op: "Add", inputs: [product, bias], outputs: [y], attrs: {} };
    return [normalised, times(product), plus];
  });
  return { ...graph, nodes };
}

/** The later node that normalises the same with a scale of ones. */
function plainTwin(node: Node, uses: Uses): Node | null {
  const [x, scale] = node.inputs;
  if (node.op !== "LayerNormalization" || !x || !scale || isOnes(scale)) return null;
  const twin = uses.usersOf(x).find((other) => {
    const [ofX, ones, bias] = other.inputs;
    const isPlain = other.op === node.op && ofX === x && ones && isOnes(ones) && !bias;
    const isLater = other.outputs.length === 1 && uses.isBefore(node, other);
    return isPlain && isLater && sameAttrs(other, node);
  });
  return twin && x.dtype === "float32" ? twin : null;
}

const isOnes = ({ role, data }: Value): boolean =>
  role === "constant" && data !== null && data.every((one) => one === 1);

const sameAttrs = (a: Node, b: Node): boolean =>
  a.attrs["axis"] === b.attrs["axis"] && a.attrs["epsilon"] === b.attrs["epsilon"];
