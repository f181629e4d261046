/** Heads that are split or joined by a reshape alone, so that positions and features change places. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export function mixedAxes({ structure }: Evidence): Finding[] {
  const { attention, producers } = structure;
  const { makers } = producers;
  const found = attention.flatMap(({ operands, mixing }) => [
    ...operands.flatMap((operand) => backward(operand)),
    ...forward(mixing.outputs[0] ?? null),
  ]);
  return oncePerLine([...new Set(found)].flatMap(findingOf));

  /** The reshapes between a linear map and attention. */
  function backward(operand: Value): Node[] {
    const reshapes: Node[] = [];
    let value: Value | null | undefined = operand;
    for (let steps = 0; value && steps < 24; steps++) {
      const node: Node | undefined = makers.get(value.id);
      if (!node || maps.has(node.op)) break;
      if (node.op === "Reshape") reshapes.push(node);
      value = node.inputs.find((input) => input?.role === "node");
    }
    return reshapes.filter(mixes);
  }

  function forward(start: Value | null): Node[] {
    const reshapes: Node[] = [];
    let value = start;
    for (let steps = 0; value && steps < 8; steps++) {
      const node: Node | undefined = producers
        .readersOf(value)
        .find(({ op }) => op === "Reshape" || op === "Transpose" || op === "Identity");
      if (!node) break;
      if (node.op === "Reshape") reshapes.push(node);
      value = node.outputs[0] ?? null;
    }
    return reshapes.filter(mixes);
  }
}

const maps = new Set(["MatMul", "Gemm", "Conv"]);

/** Between three and four axes, either is the other with one axis split in two. */
function mixes({ inputs, outputs }: Node): boolean {
  const [from, to] = [inputs[0]?.shape ?? [], outputs[0]?.shape ?? []];
  if (from.length + to.length !== 7 || Math.abs(from.length - to.length) !== 1) return false;
  const [fewer, more] = from.length < to.length ? [from, to] : [to, from];
  const ends = new Set(prefixes(more));
  return !prefixes(fewer).every((end) => ends.has(end));
}

function prefixes(shape: readonly number[]): number[] {
  let product = 1;
  return shape.map((size) => {
    product *= size;
    return product;
  });
}

function findingOf({ inputs, outputs, origin }: Node): Finding[] {
  const call = origin.call;
  if (!call) return [];
  const [from, to] = [inputs[0]?.shape ?? [], outputs[0]?.shape ?? []];
  const isSplit = from.length < to.length;
  const way = isSplit
    ? "splits heads off without moving them in front of the positions"
    : "joins heads without moving them back behind the positions";
  return [
    {
      code: "attention/mixed-axes",
      severity: "error",
      message: `${call.op} [${from.join(", ")}] → [${to.join(", ")}] ${way}: each row of the result holds numbers of several positions. A transpose must come ${isSplit ? "after a reshape to [batch, positions, heads, width]" : "first"}`,
      ...callPlace(call),
      evidence: { from: `[${from.join(", ")}]`, to: `[${to.join(", ")}]` },
    },
  ];
}
