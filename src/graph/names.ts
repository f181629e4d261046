/** Names that a reader of the source recognises, for every value of a graph. */
import type { Graph, Node, Value } from "./graph.ts";
import { numberText } from "./numberText.ts";
import { isGraph } from "./onnxProto.ts";

export interface NameOptions {
  /** Names gradients after what they belong to: `blocks.0.attn.weight.grad`. */
  gradientOf?(value: Value): Value | null;
  /** Names that are given: they may still get `.1` where two are equal. */
  readonly given?: ReadonlyMap<Value, string>;
}

/**
 * Each value has a name of its own:
 * - parameters and inputs theirs
 * - the result of a torch call: module path and operation, `blocks.0.ln_1/layer_norm`
 * - other nodes of the call: the same and the ONNX operator, `blocks.0.ln_1/layer_norm.Cast`
 * - statistics: what they were computed from and what they are, `blocks.0.ln_1/layer_norm.max`
 * - constants their numbers: `0.5`, `[0, 2]`
 * Where one is taken, `.1`, `.2` follow.
 */
export function nameValues(graph: Graph, options: NameOptions = {}): Map<Value, string> {
  const names = new Map<Value, string>();
  const taken = new Set<string>();
  const next = new Map<string, number>();

  const name = (value: Value, wanted: string): void => {
    if (names.has(value)) return;
    let free = wanted;
    for (let at = next.get(wanted) ?? 1; taken.has(free); at++) {
      free = `${wanted}.${at}`;
      next.set(wanted, at + 1);
    }
    taken.add(free);
    names.set(value, free);
  };
  const nameWithGradient = (value: Value, wanted: string): void => {
    name(value, wanted);
    const gradient = options.gradientOf?.(value);
    if (gradient?.role === "node") name(gradient, `${names.get(value)}.grad`);
  };

  for (const [value, wanted] of options.given ?? []) name(value, wanted);
  for (const value of graph.inputs) nameWithGradient(value, value.name ?? value.role);
  const results = resultsOfCalls(graph.nodes);
  for (const { outputs, origin } of graph.nodes)
    for (const value of outputs)
      if (value.name !== null) nameWithGradient(value, value.name);
      else if (results.has(value)) nameWithGradient(value, pathOf(origin.call));

  const nameNodes = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      for (const value of node.inputs)
        if (value?.role === "constant") name(value, value.name ?? numbersAsName(value));
        else if (value !== null) name(value, value.name ?? value.role);
      for (const value of node.outputs) nameWithGradient(value, nameOfInner(node, names));
      for (const attribute of Object.values(node.attrs)) {
        if (!isGraph(attribute)) continue;
        for (const value of attribute.inputs) name(value, value.name ?? "item");
        nameNodes(attribute.nodes);
      }
    }
  };
  nameNodes(graph.nodes);
  for (const value of graph.outputs) name(value, value.name ?? numbersAsName(value));
  return names;
}

/** The last forward node of a call makes what the call returns. */
function resultsOfCalls(nodes: readonly Node[]): Set<Value> {
  const results = new Map<number, Value | undefined>();
  for (const { origin, outputs } of nodes)
    if (origin.call !== null && origin.direction === "forward")
      results.set(origin.call.id, outputs[0]);
  return new Set([...results.values()].filter((value) => value !== undefined));
}

const pathOf = (call: Node["origin"]["call"]): string =>
  call === null ? "" : call.module ? `${call.module}/${call.op}` : call.op;

function nameOfInner({ op, inputs, origin }: Node, names: ReadonlyMap<Value, string>): string {
  const [first] = inputs;
  if (origin.direction === "statistic") {
    const of = first ? names.get(first) : undefined;
    return [of, statisticNames.get(op) ?? op].filter((part) => part !== undefined).join(".");
  }
  const parts = [pathOf(origin.call), origin.direction === "backward" ? "grad" : "", op];
  return parts.filter((part) => part !== "").join(".");
}

const statisticNames = new Map([
  ["ReduceSum", "sum"],
  ["ReduceSumSquare", "squares"],
  ["ReduceMin", "min"],
  ["ReduceMax", "max"],
  ["ReduceMean", "mean"],
]);

const mostNumbersInName = 6;

function numbersAsName({ dtype, shape, data }: Value): string {
  if (data === null || data.length > mostNumbersInName || shape.length > 1) return "constant";
  const numbers = Array.from(data, (x) => numberText(x, dtype));
  const text = shape.length === 0 ? (numbers[0] ?? "") : `[${numbers.join(", ")}]`;
  const isUsual =
    dtype === "float32" ? shape.length === 0 : dtype === "int64" && shape.length === 1;
  return isUsual ? text : `${dtype} ${text}`;
}
