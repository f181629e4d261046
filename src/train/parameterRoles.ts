/** What each parameter is to the step, found from its arithmetic: no name is looked at. */
import type { Node, Value } from "../graph/graph.ts";

/**
 * - `matrix`: multiplies activations; another product with a parameter follows
 * - `head`: multiplies activations, and no such product follows: it gives the logits
 * - `table`: rows are looked up in it, whatever else it does
 * - `other`: norms, biases, what is added or joined to activations
 */
export type ParameterRole = "matrix" | "head" | "table" | "other";

const products = new Set(["MatMul", "Gemm", "Conv", "ConvTranspose", "Einsum"]);
const lookups = new Set(["embedding", "embedding_bag"]);

/** `nodes`: those that the loss needs, in execution order. */
export function parameterRoles(nodes: readonly Node[]): (parameter: Value) => ParameterRole {
  const { tables, factors } = readUses(nodes);
  const heads = headsAmong(nodes, factors);
  const multiplied = new Set(Array.from(factors.values(), (of) => [...of]).flat());
  return (parameter) => {
    if (tables.has(parameter)) return "table";
    if (parameter.shape.length < 2 || !multiplied.has(parameter)) return "other";
    return heads.has(parameter) ? "head" : "matrix";
  };
}

interface Uses {
  readonly tables: Parameters;
  /** By product: the parameters that it multiplies activations by. */
  readonly factors: ReadonlyMap<Node, Parameters>;
}

type Parameters = ReadonlySet<Value>;

/** What a value is computed from that parameters and constants alone make. */
interface Made {
  readonly of: Parameters;
  /** As far as is known, rows that parameters multiplied from the right, as they do activations. */
  readonly rows: Parameters;
}

const none: Parameters = new Set();
const constant: Made = { of: none, rows: none };

function readUses(nodes: readonly Node[]): Uses {
  const tables = new Set<Value>();
  const factors = new Map<Node, Parameters>();
  /** A value that is not here is an activation. */
  const made = new Map<Value, Made>();
  const madeBy = (value: Value): Made | null => {
    if (value.role === "parameter") return { of: new Set([value]), rows: none };
    return value.role === "constant" ? constant : (made.get(value) ?? null);
  };

  for (const node of nodes) {
    const given = operandsOf(node).map(madeBy);
    const [first, second] = given;
    if (first && isLookup(node, given)) {
      for (const table of first.of) tables.add(table);
      continue;
    }
    if (products.has(node.op)) factors.set(node, factorsOf(given));
    const result = products.has(node.op)
      ? productOf(first ?? null, second ?? null)
      : given.every((of) => of !== null) || isChoice(node, given)
        ? { of: union(given.map((it) => it?.of)), rows: union(given.map((it) => it?.rows)) }
        : null;
    if (result !== null) for (const output of node.outputs) made.set(output, result);
  }
  return { tables, factors };
}

/** A left operand of parameters is itself multiplied where the right one has parameters too. */
function factorsOf([left, ...others]: readonly (Made | null)[]): Parameters {
  const isFactor = others.every((it) => !it || it.of.size === 0);
  return union([isFactor ? left?.of : none, ...others.flatMap((it) => [it?.of, it?.rows])]);
}

/** null: an activation. */
function productOf(left: Made | null, right: Made | null): Made | null {
  if (!left || !right || left.of.size === 0 || right.of.size === 0) return null;
  return { of: right.of, rows: union([left.of, left.rows]) };
}

/** Without a product's bias. */
function operandsOf({ op, inputs }: Node): Value[] {
  const given = op === "Einsum" || !products.has(op) ? inputs : inputs.slice(0, 2);
  return given.filter((value) => value !== null);
}

/** Rows of a table by numbers: as such a call, or by numbers that the step computes. */
function isLookup({ op, inputs, origin }: Node, [, indices]: readonly (Made | null)[]): boolean {
  if (op !== "Gather" || (inputs[0]?.shape.length ?? 0) > 2) return false;
  return lookups.has(origin.call?.op ?? "") || indices === null;
}

/** Whole matrices by numbers that the step computes: the weights of the experts that are routed to. */
const isChoice = ({ op, inputs }: Node, [from]: readonly (Made | null)[]): boolean =>
  op === "Gather" && (inputs[0]?.shape.length ?? 0) > 2 && Boolean(from);

const union = (sets: readonly (Parameters | undefined)[]): Parameters =>
  new Set(sets.flatMap((set) => [...(set ?? none)]));

/** The parameters of products whose result meets no other product with a parameter. */
function headsAmong(nodes: readonly Node[], factors: Uses["factors"]): Parameters {
  const heads = new Set<Value>();
  /** Values that such a product follows. */
  const multipliedLater = new Set<Value>();
  for (const node of nodes.toReversed()) {
    const own = factors.get(node) ?? none;
    const isFollowed = node.outputs.some((output) => multipliedLater.has(output));
    if (own.size > 0 && !isFollowed) for (const parameter of own) heads.add(parameter);
    if (own.size > 0 || isFollowed)
      for (const input of node.inputs) if (input !== null) multipliedLater.add(input);
  }
  return heads;
}
