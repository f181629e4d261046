/** Two traces of one program at different sizes → one graph whose batch and sequence sizes are free. */
import { invariant, sizeFixed } from "../errors.ts";
import { allSizes, freeConstant, inferredShape, type SizeOf } from "./freeConstant.ts";
import type { Attribute, Attrs, Graph, Node, Value } from "./graph.ts";
import { isGraph } from "./onnxProto.ts";
import { findSize, type Sizes } from "./sizeExpression.ts";
import { createSizeNodes, dimOf, fixed, type SizeSource } from "./sizeNodes.ts";
import { formatType, type HostArray, sameShape } from "./tensor.ts";

export interface UnifiedGraph {
  /** The first graph, with nodes that compute its shapes from those of its inputs. */
  readonly graph: Graph;
  /** Sizes of its values, texts where they are free: what `exportModel` takes. */
  readonly dims: ReadonlyMap<Value, readonly (number | string)[]>;
}

/** Large and prime: what a trace has at both sizes follows from them in one simple way only. */
export const trialSizes = {
  first: { batch: 5, seq: 29 },
  second: { batch: 7, seq: 43 },
} as const;

/**
 * `firstSizes` and `secondSizes` name the same sizes ("batch", "seq"), each an axis of an input.
 * Their numbers should be like those of `trialSizes`. Throws, at the line, where what a line
 * computes at the two sizes follows no rule.
 */
export function unify(
  first: Graph,
  second: Graph,
  firstSizes: Sizes,
  secondSizes: Sizes,
): UnifiedGraph {
  const pairs = new Map<Value, Value>();
  const dims = new Map<Value, readonly (number | string)[]>();

  const sizeOf: SizeOf = (a, b) => {
    if (a === b) return fixed(a);
    const expression = findSize(a, b, firstSizes, secondSizes);
    return expression && { now: a, expression };
  };

  const pair = (a: Value, b: Value, node: Node | null): void => {
    const sizes = a.dtype === b.dtype ? allSizes(a.shape, b.shape, sizeOf) : null;
    if (sizes === null) throw fixedBy(node, `a result is ${formatType(a)} and ${formatType(b)}`);
    pairs.set(a, b);
    dims.set(a, sizes.map(dimOf));
  };

  invariant(first.inputs.length === second.inputs.length, "the traces have other inputs");
  for (const [at, a] of first.inputs.entries()) pair(a, second.inputs[at] as Value, null);
  const sizeNodes = createSizeNodes(sourcesOf(first.inputs, dims));

  const unifyNodes = (nodesA: readonly Node[], nodesB: readonly Node[]): Node[] => {
    const nodes = nodesA.map((a, at) => {
      const b = nodesB[at];
      if (b === undefined || a.op !== b.op || a.outputs.length !== b.outputs.length)
        throw fixedBy(a, `it computes ${a.op} and ${b?.op ?? "nothing"}`);
      const shape = a.op === "Reshape" ? freeShape(a, b) : null;
      const attrs = shape === null ? unifyAttrs(a, b) : {};
      const inputs = shape === null ? unifyInputs(a, b) : [a.inputs[0] ?? null, shape];
      for (const [index, value] of a.outputs.entries()) pair(value, b.outputs[index] as Value, a);
      return { ...a, inputs, attrs };
    });
    const more = nodesB[nodesA.length];
    if (more) throw fixedBy(more, `it computes nothing and ${more.op}`);
    return nodes;
  };

  function unifyInputs(a: Node, b: Node): (Value | null)[] {
    if (a.inputs.length !== b.inputs.length)
      throw fixedBy(a, `${a.op} has ${a.inputs.length} and ${b.inputs.length} inputs`);
    return a.inputs.map((value, index) => unifyInput(a, value, b.inputs[index] ?? null));
  }

  function unifyInput(node: Node, a: Value | null, b: Value | null): Value | null {
    if (a?.role !== "constant" || b?.role !== "constant") {
      const isSame = a === null ? b === null : pairs.get(a) === b;
      if (!isSame) throw fixedBy(node, `${node.op} gets other values`);
      return a;
    }
    const [arrayA, arrayB] = [arrayOf(a), arrayOf(b)];
    if (sameArray(arrayA, arrayB)) return a;
    const free = a.dtype === b.dtype ? freeConstant(arrayA, arrayB, sizeOf, sizeNodes) : null;
    if (free === null)
      throw fixedBy(node, `${node.op} gets a constant ${formatType(a)} and ${formatType(b)}`);
    return free;
  }

  /** null: the shape does not depend on the sizes, or in more than one place. */
  function freeShape(a: Node, b: Node): Value | null {
    const [data, shape] = a.inputs;
    const [dataB, shapeB] = b.inputs;
    if (!data || !dataB || pairs.get(data) !== dataB) return null;
    if (!shape?.data || !shapeB?.data || sameArray(arrayOf(shape), arrayOf(shapeB))) return null;
    return inferredShape(a, b, sizeNodes);
  }

  function unifyAttrs(a: Node, b: Node): Attrs {
    const entries = Object.entries(a.attrs).map(([key, attribute]): [string, Attribute] => {
      const other = b.attrs[key];
      if (other !== undefined && isGraph(attribute) && isGraph(other))
        return [key, unifyBody(attribute, other)];
      if (other === undefined || !sameAttribute(attribute, other))
        throw fixedBy(a, `${a.op} has another '${key}'`);
      return [key, attribute];
    });
    return Object.fromEntries(entries);
  }

  function unifyBody(a: Graph, b: Graph): Graph {
    for (const [at, value] of a.inputs.entries()) pair(value, b.inputs[at] as Value, null);
    return { ...a, nodes: unifyNodes(a.nodes, b.nodes) };
  }

  const nodes = unifyNodes(first.nodes, second.nodes);
  return {
    graph: { ...first, nodes: [...sizeNodes.nodes, ...nodes] },
    dims: new Map([...dims, ...sizeNodes.dims]),
  };
}

/** The first axis of an input with each named size. */
function sourcesOf(
  inputs: readonly Value[],
  dims: ReadonlyMap<Value, readonly (number | string)[]>,
): Map<string, SizeSource> {
  const sources = new Map<string, SizeSource>();
  for (const value of inputs)
    for (const [axis, dim] of dims.get(value)?.entries() ?? [])
      if (typeof dim === "string" && !sources.has(dim)) sources.set(dim, { value, axis });
  return sources;
}

/** `found`: what the line has at the first sizes and at the second. */
const fixedBy = (node: Node | null, found: string) =>
  sizeFixed(found, node?.origin.call?.site ?? null);

function arrayOf({ dtype, shape, data, id }: Value): HostArray {
  invariant(data, `the constant ${id} has no numbers`);
  return { dtype, shape, data };
}

const sameArray = (a: HostArray, b: HostArray): boolean =>
  a.dtype === b.dtype &&
  sameShape(a.shape, b.shape) &&
  a.data.every((x, at) => Object.is(x, b.data[at]));

function sameAttribute(a: Attribute, b: Attribute): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  if ("data" in a && "data" in b) return sameArray(a, b);
  return JSON.stringify(a) === JSON.stringify(b);
}
