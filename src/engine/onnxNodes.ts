/** What can be said of a file's nodes before they are run: numbers known, operators and rules missing. */
import { onnxUnsupported, unknownOps } from "../errors.ts";
import type { Graph, Node, Value } from "../graph/graph.ts";
import { type HostArray, isFloat, numel } from "../graph/tensor.ts";
import { evaluateNode } from "../ops/evaluateNode.ts";
import { opNamed, opTypes } from "../ops/registry.ts";
import type { TracedGap } from "../trace/program.ts";

/** Sizes, indices and masks that exporters compute of shapes are no larger. */
const foldLimit = 1 << 16;
/** Elements of one value: 8 GB of float32. */
const valueLimit = 2 ** 31;

const readsShapeOnly = new Set(["Shape", "Size"]);

/** The numbers of a node of constants, or of shapes, which are all known here. */
export function foldNode(node: Node): readonly HostArray[] | null {
  if (opNamed(node.op) === null) return null;
  if (node.outputs.some(({ shape }) => numel(shape) > foldLimit)) return null;
  const isKnown = (value: Value | null) =>
    value === null || (value.role === "constant" && value.data !== null);
  if (!readsShapeOnly.has(node.op) && !node.inputs.every(isKnown)) return null;
  return evaluateNode(node, (value) => value as HostArray);
}

/** Throws where an operator has no definition here, naming each with its first node. */
export function checkOperators(nodes: readonly Node[]): void {
  const unknown = new Map<string, string>();
  for (const { op, outputs } of nodes)
    if (opNamed(op) === null && !unknown.has(op)) unknown.set(op, outputs[0]?.name ?? "");
  if (unknown.size > 0) throw unknownOps([...unknown], opTypes());
}

/** Throws where no machine could hold the value. */
export function checkSize({ name, shape }: Value): void {
  if (numel(shape) > valueLimit)
    throw onnxUnsupported(
      `'${name ?? ""}' has the shape [${shape.join(", ")}]: no memory holds it`,
    );
}

/** Float initializers that no rule differentiates by: running statistics, bounds. */
export function buffersOf(graph: Graph): ReadonlySet<number> {
  const differentiated = new Set<number>();
  for (const node of graph.nodes)
    node.inputs.forEach((value, at) => {
      if (value !== null && hasRule(node, at)) differentiated.add(value.id);
    });
  const unused = ({ role, id }: Value) => role === "parameter" && !differentiated.has(id);
  return new Set(graph.inputs.filter(unused).map(({ id }) => id));
}

/** Nodes that a gradient would have to pass and that have no rule for it, as gaps at their lines. */
export function missingRules(nodes: readonly Node[]): TracedGap[] {
  return nodes.flatMap((node) => {
    const passes = node.outputs.some(({ requiresGrad }) => requiresGrad);
    const at = node.inputs.findIndex(
      (value, index) => value?.requiresGrad && isFloat(value.dtype) && !hasRule(node, index),
    );
    const { call } = node.origin;
    if (!passes || at < 0 || call === null) return [];
    const { file, line } = call.site;
    const message = `'${node.op}' has no gradient rule for its input '${declaredAt(node.op, at)}': no gradients were computed`;
    return [{ file, line, code: "autodiff/no-rule", message }];
  });
}

function hasRule({ op }: Node, at: number): boolean {
  const rule = opNamed(op)?.grad[declaredAt(op, at)];
  return rule !== undefined && rule !== "none";
}

/** ONNX's name of an operator's input; the last may stand for several. */
function declaredAt(op: string, at: number): string {
  const inputs = opNamed(op)?.inputs ?? [];
  const last = inputs.at(-1) ?? "";
  return (inputs[at] ?? (last.endsWith("*") ? last : "")).replace(/[?*]$/, "");
}
