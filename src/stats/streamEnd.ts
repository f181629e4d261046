/** How the residual stream goes on behind its last block. */
import type { Node, Value } from "../graph/graph.ts";
import type { StreamEnd } from "../protocol/report.ts";
import type { Normalised } from "./normalised.ts";
import type { Producers } from "./producers.ts";

export type { StreamEnd };

const products = new Set(["MatMul", "Gemm", "Conv", "Einsum"]);

/** Forward from the stream, to the first norm or matrix product on each way; null: to neither. */
export function streamEnd(
  stream: Value,
  nodes: readonly Node[],
  found: Normalised,
  producers: Producers,
): StreamEnd | null {
  const within = new Set(nodes);
  const isNormed = found.normOf(found.idOf(stream)) !== null;
  const seen = new Set<number>();
  const open = [stream];
  let normed: Node | null = null;
  let raw: Node | null = null;
  for (let value = open.shift(); value; value = open.shift()) {
    if (seen.has(value.id)) continue;
    seen.add(value.id);
    for (const node of producers.readersOf(value)) {
      const [out] = node.outputs;
      if (!out || node.origin.direction !== "forward" || within.has(node)) continue;
      if (!isNormed && found.normOf(found.idOf(out)) !== null) normed ??= node;
      else if (products.has(node.op)) raw ??= node;
      else if (found.statisticOf(found.idOf(out)) === null) open.push(...node.outputs);
    }
  }
  const node = raw ?? normed;
  const call = node?.origin.call;
  if (!node || !call) return null;
  return {
    normed: isNormed || raw === null,
    file: call.site.file,
    line: call.site.line,
    path: call.module,
  };
}
