/** Results between the kernels that PyTorch makes a call of: each is rounded to the call's type. */
import type { Emit, Value } from "../graph/graph.ts";
import { isHalf } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { castTo } from "../ops/write.ts";
import { isComplexType, type TorchType } from "./promotion.ts";

/** `x`, computed in single precision, as half precision holds it. */
export const rounded = (emit: Emit, x: Value, type: TorchType): Value =>
  isComplexType(type) || !isHalf(type) ? x : castTo(emit, castTo(emit, x, type), x.dtype);

/** The same where PyTorch's gradient passes in single precision. */
export function roundedForward(emit: Emitter, x: Value, type: TorchType): Value {
  if (isComplexType(type) || !isHalf(type)) return x;
  const [made] = emit.grouped(
    [x],
    () => [rounded(emit, x, type)],
    (_, [d]) => [d ?? null],
  );
  return made as Value;
}
