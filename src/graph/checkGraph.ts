/** Throws where a graph is not well formed: a bug of the pass that made it. */
import { invariant } from "../errors.ts";
import type { Graph, Node, Value } from "./graph.ts";
import { isGraph } from "./onnxProto.ts";
import { formatType, sameShape, type TensorType } from "./tensor.ts";

/** The types of a node's outputs, from its operator's declaration; throws where there is none. */
export type InferTypes = (node: Node) => readonly TensorType[];

/**
 * Checks that
 * - inputs are parameters or inputs, each once
 * - a node uses constants with numbers, inputs of the graph, and what nodes before it made
 * - a value is made once, and its type is what the operator's declaration gives
 * - outputs are known values, each once
 */
export function checkGraph(graph: Graph, inferTypes: InferTypes): void {
  for (const { id, role } of graph.inputs)
    invariant(role === "parameter" || role === "input", `the input ${id} has the role '${role}'`);
  checkScope(graph, new Set(), inferTypes);
}

function checkScope(graph: Graph, outer: ReadonlySet<Value>, inferTypes: InferTypes): void {
  const known = new Set(outer);
  const define = (value: Value, where: string): void => {
    invariant(!known.has(value), `${where} defines value ${value.id} again`);
    known.add(value);
  };
  const use = (value: Value, where: string): void => {
    if (value.role === "constant")
      invariant(
        value.data !== null,
        `${where} uses the constant ${value.id}, which has no numbers`,
      );
    else
      invariant(known.has(value), `${where} uses value ${value.id}, which nothing before defines`);
  };

  for (const value of graph.inputs) define(value, "the graph's inputs");
  for (const [index, node] of graph.nodes.entries()) {
    const where = describe(node, index);
    for (const value of node.inputs) if (value !== null) use(value, where);
    for (const attribute of Object.values(node.attrs))
      if (isGraph(attribute)) checkScope(attribute, known, inferTypes);
    checkTypes(node, where, inferTypes);
    for (const value of node.outputs) {
      invariant(value.role === "node", `${where} makes a value of role '${value.role}'`);
      define(value, where);
    }
  }
  for (const value of graph.outputs) use(value, "the graph's outputs");
  invariant(
    new Set(graph.outputs).size === graph.outputs.length,
    "the graph's outputs have a value twice",
  );
}

function checkTypes(node: Node, where: string, inferTypes: InferTypes): void {
  const types = inferTypes(node);
  for (const [at, value] of node.outputs.entries()) {
    const type = types[at];
    invariant(type, `${where} has ${node.outputs.length} outputs; its operator ${types.length}`);
    invariant(
      type.dtype === value.dtype && sameShape(type.shape, value.shape),
      `${where} makes ${formatType(type)}; value ${value.id} says ${formatType(value)}`,
    );
  }
}

function describe(node: Node, index: number): string {
  const site = node.origin.call?.site;
  return `node ${index} (${node.op}${site ? `, ${site.file}:${site.line}` : ""})`;
}
