/** How many threads a run gets: where there are few processors, a short one leaves one to the tracer. */
import type { Graph } from "../graph/graph.ts";
import { flopsOf } from "../stats/flops.ts";

/** Of the forward pass: both passes take some tens of milliseconds on one processor. */
const fewFlops = 1e9;

export const isShort = (graph: Graph): boolean => flopsOf(graph) < fewFlops;

/**
 * ONNX Runtime's threads spin from the making of a session on, while the tracer plans the next graph:
 * with two processors there is none left for it. null: as many as ONNX Runtime chooses.
 */
export const threadsOfShort = (processors: number): number | null => (processors <= 2 ? 1 : null);
