/**
 * Views whose base was edited after they were taken, where autograd does not follow: PyTorch refuses
 * them once a derivative is to be known, not where a call has none.
 */
import { isFloat } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { Given } from "./call.ts";
import { inGradMode } from "./passThrough.ts";
import { isStaleRead } from "./refusals.ts";
import type { Tensor } from "./tensor.ts";

/** Calls that PyTorch writes of others, which have one. */
const ofDerivable = new Set(["isfinite", "isinf", "isclose", "allclose"]);

/** What `run` gives; if it may not read a view, what it gives without a derivative, if that is no float. */
export function runOnStale(emit: Emitter, name: string, run: () => Given): Given {
  try {
    return run();
  } catch (error) {
    if (!isStaleRead(error) || ofDerivable.has(name)) throw error;
    const given = inGradMode(emit, false, run);
    if (tensorsOf(given).some(isDerivable)) throw error;
    return given;
  }
}

const tensorsOf = (given: Given): readonly Tensor[] =>
  given === null ? [] : Array.isArray(given) ? given.flatMap(tensorsOf) : [given as Tensor];

const isDerivable = ({ dtype, isComplex }: Tensor): boolean => isComplex || isFloat(dtype);
