/** The form in which an activation function is declared. */
import type { Value } from "../../graph/graph.ts";
import { type Bound, bool, type Params, tensor, withDefault } from "../arguments.ts";
import { type CallContext, type Namespace, type Typed, torchCall } from "../call.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { needFloatKernel } from "./curves.ts";

export const functional: readonly Namespace[] = ["torch.nn.functional"];
export const everywhere: readonly Namespace[] = ["torch", "Tensor", "torch.nn.functional"];
export const inplace = withDefault(bool, false);

interface Activation<P extends Params> {
  readonly name: string;
  readonly in?: readonly Namespace[];
  /** PyTorch's kernel, as its refusal of integers names it. */
  readonly kernel: string;
  readonly params: P;
  readonly saves: "input" | "result";
  readonly savesResultInPlace?: boolean;
  write(emit: CallContext["emit"], x: Value, args: Bound<P>, type: TorchType): Value;
}

/** A function of floats that keeps their type and has an in-place twin. */
export function activation<const P extends Params>(spec: Activation<P>) {
  return torchCall({
    name: spec.name,
    in: spec.in ?? functional,
    params: { input: tensor, ...spec.params, inplace },
    inPlace: true,
    saves: [spec.saves] as never,
    savesResultInPlace: spec.savesResultInPlace ?? false,
    build: (ctx, args): Typed => {
      const { input } = args as unknown as { input: Tensor };
      needFloatKernel(spec.kernel, input);
      return {
        typed: spec.write(ctx.emit, ctx.read(input), args as unknown as Bound<P>, typeOf(input)),
        as: input.dtype,
      };
    },
  });
}
