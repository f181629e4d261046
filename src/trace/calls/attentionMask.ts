/** What attention adds to its logits: −∞ where a query must not see a key. */
import type { Emit, Value } from "../../graph/graph.ts";
import { allocate, type DType } from "../../graph/tensor.ts";
import { castTo } from "../../ops/write.ts";
import type { CallContext } from "../call.ts";
import type { Tensor } from "../tensor.ts";
import { sharedConstant } from "./sharedConstants.ts";

export interface AttentionMask {
  readonly added: Value;
  /** It is 0 where a query sees a key. */
  readonly onlyHides: boolean;
  /** A query may see no key at all. */
  readonly mayLeaveNothing: boolean;
}

/** Query i sees the keys 0 … i. */
export function causalMask(emit: Emit, dtype: DType, queries: number, keys: number): AttentionMask {
  const added = sharedConstant(emit, `causal ${dtype} ${queries},${keys}`, () => {
    const data = allocate(dtype, queries * keys);
    for (let row = 0; row < queries; row++)
      data.fill(Number.NEGATIVE_INFINITY, row * keys + row + 1, (row + 1) * keys);
    return { dtype, shape: [queries, keys], data };
  });
  return { added, onlyHides: true, mayLeaveNothing: false };
}

/** bool: true where a query sees a key; float: what is added. */
export function readMask(ctx: CallContext, mask: Tensor, dtype: DType): AttentionMask {
  const { emit } = ctx;
  if (mask.dtype !== "bool") {
    const added = castTo(emit, ctx.read(mask), dtype);
    return { added, onlyHides: false, mayLeaveNothing: mayLeaveNothing(added) };
  }
  const added = emit.op("Where", [
    ctx.store.read(mask),
    emit.scalar(0, dtype),
    emit.scalar(Number.NEGATIVE_INFINITY, dtype),
  ]);
  return { added, onlyHides: true, mayLeaveNothing: mayLeaveNothing(added) };
}

/** False only for a constant with something finite in every row. */
function mayLeaveNothing({ role, data, shape }: Value): boolean {
  if (role !== "constant" || data === null) return true;
  const keys = shape.at(-1) ?? 1;
  for (let row = 0; row < data.length; row += keys)
    if (data.subarray(row, row + keys).every((x) => x === Number.NEGATIVE_INFINITY)) return true;
  return false;
}
