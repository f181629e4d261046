/** Numbers of a traced program that follow from its constants and inputs alone, computed on the host. */
import type { Node, Value } from "../graph/graph.ts";
import { isGraph } from "../graph/onnxProto.ts";
import { type Numbers, numel } from "../graph/tensor.ts";
import { createEmitter } from "../ops/emitter.ts";
import { rerunAll } from "./rerun.ts";

const nodeLimit = 200;
const elementLimit = 2 ** 18;

/** null: they depend on parameters or random numbers, or there are too many of them. */
export function numbersFrom(
  value: Value,
  order: readonly Node[],
  makers: ReadonlyMap<number, Node>,
): Numbers | null {
  const nodes = new Set<Node>();
  const known = new Map<number, Value>();
  const emit = createEmitter({ foldsAll: true });
  emit.gradMode = false;
  const open = [value];
  const seen = new Set<number>();
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    const { id, shape, dtype, data, role } = at;
    if (role === "constant") continue;
    if (role === "parameter" || numel(shape) > elementLimit) return null;
    const node = makers.get(id);
    if (role === "input") {
      if (data === null) return null;
      known.set(id, emit.constant({ shape, dtype, data }));
    } else if (!node || nodes.size > nodeLimit || isUnsettled(node)) return null;
    else {
      nodes.add(node);
      open.push(...node.inputs.filter((input) => input !== null));
    }
  }
  if (value.role === "constant") return value.data;
  const own = order.filter((node) => nodes.has(node));
  return (known.get(value.id) ?? rerunAll(emit, own, known).get(value.id))?.data ?? null;
}

const isUnsettled = ({ op, attrs }: Node): boolean =>
  op.startsWith("Random") || op === "Bernoulli" || Object.values(attrs).some(isGraph);
