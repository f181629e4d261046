/** What PyTorch refuses to fill elements with: a number that the tensor's type does not hold. */
import { torchError } from "../../errors.ts";
import { isTensor, type Scalar } from "../arguments.ts";
import type { CallContext } from "../call.ts";
import { isWhole, refuseOverflow } from "../kernels.ts";
import type { TorchType } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { numberOf } from "./create.ts";

/** Of a tensor that is computed in the run the number is not known here: it is cast. */
export function refuseFiller(ctx: CallContext, filler: Tensor | Scalar, type: TorchType): void {
  const number = isTensor(filler) ? knownNumber(ctx, filler) : filler;
  if (number !== null) refuseOverflow(number, type);
  const isFollowed = isTensor(filler) && ctx.emit.gradMode && ctx.store.requiresGrad(filler);
  if (isFollowed && !ctx.inPlace && isWhole(type))
    throw torchError("RuntimeError", `Autograd not support dtype: ${cppName(type)}`);
}

function knownNumber(ctx: CallContext, filler: Tensor): Scalar | null {
  if (!ctx.store.isKnown(filler)) return null;
  if (!filler.isComplex) return numberOf(ctx, filler);
  const [value = 0, imaginary = 0] = ctx.store.numbers(filler);
  return { kind: "complex", value, imaginary };
}
