/** Gates that multiply the same numbers a second time. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** What gates come from, by the torch call. */
const gating = new Set([
  "softmax",
  "sigmoid",
  "silu",
  "gelu",
  "relu",
  "tanh",
  "topk",
  "hardsigmoid",
]);
const deepest = 8;

export function gateTwice({ structure }: Evidence): Finding[] {
  const { blocks, producers, found } = structure;
  return oncePerLine(
    blocks.flatMap(({ nodes, path }) => nodes.flatMap((node) => ofProduct(node, path))),
  );

  /** g · (g · x) */
  function ofProduct(node: Node, path: string): Finding[] {
    const { call } = node.origin;
    const [a, b] = node.inputs;
    if (!call || !a || !b || node.op !== "Mul" || found.idOf(a) === found.idOf(b)) return [];
    const before = firstProduct(a, b) ?? firstProduct(b, a);
    const first = before?.origin.call;
    // Activations that are written as products of their own parts are one call.
    if (!first || first.id === call.id) return [];
    return [
      {
        code: "block/gate-twice",
        severity: "warning",
        message: `This product takes the gate that line ${first.site.line} has multiplied the same numbers with before: they are weighed with its square`,
        ...callPlace(call),
        module: path,
        evidence: { block: path, "first product on line": first.site.line },
      },
    ];
  }

  function firstProduct(gate: Value, product: Value): Node | null {
    const node = producers.makerOf(product);
    if (node?.op !== "Mul" || !isGate(gate)) return null;
    const isSame = node.inputs.some((one) => one && found.idOf(one) === found.idOf(gate));
    const other = node.inputs.find((one) => one && found.idOf(one) !== found.idOf(gate));
    return isSame && other && !found.isWeight(other) ? node : null;
  }

  /** Whether it was made by an activation, a softmax or a choice, and weighed or normalised since. */
  function isGate(value: Value): boolean {
    let at: Value | undefined = value;
    for (let steps = 0; at && steps < deepest; steps++) {
      const node = producers.makerOf(at);
      if (!node) return false;
      if (gating.has(node.origin.call?.op ?? "")) return true;
      if (!onTheWay.has(node.op)) return false;
      at = node.inputs.find((one) => one?.role === "node" && one.requiresGrad) ?? undefined;
    }
    return false;
  }
}

const onTheWay = new Set([
  "Mul",
  "Div",
  "ReduceSum",
  "Gather",
  "GatherND",
  "Slice",
  "Split",
  "Cast",
  "Where",
]);
