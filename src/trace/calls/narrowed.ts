/** Functions for which no provider has a kernel in double precision. */
import type { Emit, Value } from "../../graph/graph.ts";
import { castTo } from "../../ops/write.ts";

/** Double precision is computed in single. */
export const narrowed = (emit: Emit, op: string, x: Value): Value =>
  castTo(emit, emit.op(op, [x.dtype === "float64" ? castTo(emit, x, "float32") : x]), x.dtype);
