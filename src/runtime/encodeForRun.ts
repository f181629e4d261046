/** A graph as this runtime runs it. */
import { type EncodedModel, type EncodeOptions, encodeModel } from "../graph/encode.ts";
import type { Graph } from "../graph/graph.ts";
import { withExactSteps } from "./exact/exact.ts";

export const encodeForRun = (graph: Graph, options?: EncodeOptions): EncodedModel =>
  encodeModel(withExactSteps(graph), options);
