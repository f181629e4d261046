/**
 * A graph in ONNX → the same graph in operators of which ONNX Runtime's CPU has faster kernels, some of
 * them of its own. For graphs that run many times; no file that a user gets has them.
 */
import type { Graph } from "../graph/graph.ts";
import type { Emitter } from "../ops/emitter.ts";
import { fuseAttention } from "./attention.ts";
import { fuseBiases } from "./biases.ts";
import { fuseGelu } from "./gelu.ts";
import { fuseNorms } from "./norms.ts";
import { fuseProducts } from "./products.ts";
import { fuseRowSums } from "./rowSums.ts";
import { fuseSplits } from "./splits.ts";

export function fuseForCpu(emit: Emitter, given: Graph): Graph {
  const { graph, heads } = fuseAttention(emit, given);
  const products = fuseProducts(emit, fuseRowSums(emit, graph), heads);
  return fuseGelu(emit, fuseBiases(emit, fuseNorms(emit, fuseSplits(emit, products))));
}
